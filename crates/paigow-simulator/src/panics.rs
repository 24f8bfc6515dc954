//! Panics of a world. Its tasks are many, and a runtime keeps the panic of one to itself: a hook notes the first of each thread.

use std::cell::RefCell;
use std::panic;
use std::sync::Once;

thread_local! {
    static NOTES: RefCell<Notes> = const { RefCell::new(Notes::Off) };
}

/// What is noted of the world that runs on this thread, if one does.
enum Notes {
    Off,
    Whole,
    Broken(String),
}

static HOOK: Once = Once::new();

/// Notes panics on this thread from now on instead of printing them.
pub(crate) fn listen() {
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let noted = NOTES.with_borrow_mut(|notes| {
                if matches!(notes, Notes::Off) {
                    return false;
                }
                let said = info.payload_as_str().unwrap_or("a panic without words");
                let place =
                    info.location().map_or(String::new(), |at| format!(" ({}:{})", at.file(), at.line()));
                if matches!(notes, Notes::Whole) {
                    *notes = Notes::Broken(format!("{said}{place}"));
                }
                true
            });
            if !noted {
                before(info);
            }
        }));
    });
    NOTES.set(Notes::Whole);
}

/// Whether something has broken.
pub(crate) fn is_broken() -> bool {
    NOTES.with_borrow(|notes| matches!(notes, Notes::Broken(_)))
}

/// What broke first, if anything; panics are printed again from now on.
pub(crate) fn stop_listening() -> Option<String> {
    match NOTES.replace(Notes::Off) {
        Notes::Broken(what) => Some(what),
        Notes::Off | Notes::Whole => None,
    }
}

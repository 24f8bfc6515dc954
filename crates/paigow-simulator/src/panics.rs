//! Panics of a world. The runtime catches the panic of a task, so a hook records the first panic of each thread.

use std::cell::RefCell;
use std::panic;
use std::sync::Once;

thread_local! {
    static NOTES: RefCell<Notes> = const { RefCell::new(Notes::Off) };
}

/// State of the recorder of this thread.
enum Notes {
    Off,
    Whole,
    BrokenInvariant(String),
}

static HOOK: Once = Once::new();

/// Records panics of this thread instead of printing them, until `stop_listening`.
pub(crate) fn listen() {
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let noted = NOTES.with_borrow_mut(|notes| {
                if matches!(notes, Notes::Off) {
                    return false;
                }
                let said = info.payload_as_str().unwrap_or("panic without a message");
                let place =
                    info.location().map_or(String::new(), |at| format!("\nat {}:{}", at.file(), at.line()));
                if matches!(notes, Notes::Whole) {
                    *notes = Notes::BrokenInvariant(format!("{said}{place}"));
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

/// Whether a panic is recorded.
pub(crate) fn is_broken() -> bool {
    NOTES.with_borrow(|notes| matches!(notes, Notes::BrokenInvariant(_)))
}

/// Stops recording. Returns the first panic, if there is one.
pub(crate) fn stop_listening() -> Option<String> {
    match NOTES.replace(Notes::Off) {
        Notes::BrokenInvariant(what) => Some(what),
        Notes::Off | Notes::Whole => None,
    }
}

//! Records the panics of a run. The runtime catches a task's panic, so a hook records the first panic of each thread.

use std::cell::RefCell;
use std::panic;
use std::sync::Once;

thread_local! {
    static RECORDER: RefCell<Recorder> = const { RefCell::new(Recorder::Off) };
}

/// State of this thread's recorder.
enum Recorder {
    Off,
    NoPanic,
    Panicked(String),
}

static HOOK: Once = Once::new();

/// Records panics of this thread instead of printing them, until `stop_recording`.
pub(crate) fn start_recording() {
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let recorded = RECORDER.with_borrow_mut(|recorder| {
                if matches!(recorder, Recorder::Off) {
                    return false;
                }
                let message = info.payload_as_str().unwrap_or("panic without a message");
                let location =
                    info.location().map_or(String::new(), |at| format!("\nat {}:{}", at.file(), at.line()));
                if matches!(recorder, Recorder::NoPanic) {
                    *recorder = Recorder::Panicked(format!("{message}{location}"));
                }
                true
            });
            if !recorded {
                previous(info);
            }
        }));
    });
    RECORDER.set(Recorder::NoPanic);
}

/// Whether this thread has recorded a panic.
pub(crate) fn has_panicked() -> bool {
    RECORDER.with_borrow(|recorder| matches!(recorder, Recorder::Panicked(_)))
}

/// Stops recording and returns the message and location of the first panic.
pub(crate) fn stop_recording() -> Option<String> {
    match RECORDER.replace(Recorder::Off) {
        Recorder::Panicked(message) => Some(message),
        Recorder::Off | Recorder::NoPanic => None,
    }
}

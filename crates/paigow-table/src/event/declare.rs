//! The macro that declares events.

/// Declares the events of a table in their stored and their seen form.
///
/// Generates [`TableEvent`](super::TableEvent), [`SeenEvent`](super::SeenEvent), the `StoredEvent` that serde reads
/// stored events with, and the macro `seen_event!`. That macro is a `match` on a [`TableEvent`](super::TableEvent): it
/// converts the events of `same` itself and takes arms for those of `different`, so the compiler reports a missing one.
///
/// The order of fields is part of the stored text and must not change. A field added later needs a default.
macro_rules! declare_events {
    (
        $d:tt
        same { $( $(#[$doc:meta])* $name:ident $({ $($field:ident: $type:ty),* })? )* }
        different {
            $(
                $(#[$stored_doc:meta])* $other:ident { $($stored:tt)* }
                $(#[$seen_doc:meta])* seen { $($seen:tt)* }
            )*
        }
    ) => {
        /// An event of a table.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize)]
        #[serde(tag = "event", rename_all = "snake_case")]
        #[allow(missing_docs)] // the fields are named for what they hold
        pub enum TableEvent {
            $( $(#[$doc])* $name $({ $($field: $type),* })?, )*
            $( $(#[$stored_doc])* $other { $($stored)* }, )*
        }

        /// An event of a table as a viewer sees it.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
        #[serde(tag = "event", rename_all = "snake_case")]
        #[allow(missing_docs)] // the fields are named for what they hold
        pub enum SeenEvent {
            $( $(#[$doc])* $name $({ $($field: $type),* })?, )*
            $( $(#[$seen_doc])* $other { $($seen)* }, )*
        }

        /// [`TableEvent`] without its tag, for [`read`].
        #[derive(Deserialize)]
        #[serde(remote = "TableEvent", rename_all = "snake_case", deny_unknown_fields)]
        enum StoredEvent {
            $( $name $({ $($field: $type),* })?, )*
            $( $other { $($stored)* }, )*
        }

        macro_rules! seen_event {
            ($d event:expr, { $d($d arms:tt)* }) => {
                match $d event {
                    $( TableEvent::$name $({ $($field),* })? => SeenEvent::$name $({ $($field),* })?, )*
                    $d($d arms)*
                }
            };
        }
        pub(crate) use seen_event;
    };
}

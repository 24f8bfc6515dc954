//! Applies events to a view as a client does. A second implementation, on plain JSON.

use serde_json::{Map, Value, json};

pub(crate) fn apply(view: &mut Value, event: &Value) {
    let seat = event["seat"].as_u64();
    match event["event"].as_str().unwrap() {
        "sat" => {
            let new = empty_seat(&event["seat"], &event["player"]);
            let seats = view["seats"].as_array_mut().unwrap();
            let index = seats.iter().take_while(|other| other["seat"].as_u64() < seat).count();
            seats.insert(index, new);
            set_own_seats(view);
        }
        "stood" => {
            view["seats"].as_array_mut().unwrap().retain(|other| other["seat"].as_u64() != seat);
            // A player who leaves before wagers close loses the seat's commitment.
            if matches!(view["phase"].as_str(), Some("wagers" | "offering")) {
                view["round"]["commitments"].as_object_mut().unwrap().remove(&seat.unwrap().to_string());
            }
            set_own_seats(view);
        }
        "leaving" => seat_mut(view, seat)["leaving"] = json!(true),
        "sat_out" => seat_mut(view, seat)["out"] = json!(true),
        "returned" => seat_mut(view, seat)["out"] = json!(false),
        "paused" => view["paused"] = json!(true),
        "resumed" => view["paused"] = json!(false),
        "closing" => view["closing"] = json!(true),
        "closed" => {
            view["closed"] = json!(true);
            set_phase(view, "waiting", &Value::Null);
        }
        "rested" => set_phase(view, "waiting", &Value::Null),
        "noticed" => {}
        _ => apply_to_round(view, event),
    }
}

fn apply_to_round(view: &mut Value, event: &Value) {
    let seat = event["seat"].as_u64();
    match event["event"].as_str().unwrap() {
        "round_opened" => {
            for old in view["seats"].as_array_mut().unwrap() {
                let new = empty_seat(&old["seat"], &old["player"]);
                let (out, leaving) = (old["out"].take(), old["leaving"].take());
                *old = new;
                (old["out"], old["leaving"]) = (out, leaving);
            }
            view["round"] = json!({
                "round": event["round"], "protocol": event["protocol"], "commitment": event["commitment"],
                "opened_at": event["opened_at"], "key": event["key"], "signature": event["signature"],
                "commitments": {}, "closed_signature": null, "silent": [], "secret": null, "passed": [],
                "bank": null, "pile": null, "bytes": {}, "dice": null, "dealer": null, "net_cents": null,
            });
        }
        "bank_offered" => {
            set_phase(view, "offering", &event["until"]);
            view["offered"] = event["seat"].clone();
        }
        "bank_passed" => view["round"]["passed"].as_array_mut().unwrap().push(event["seat"].clone()),
        "bank_taken" => view["round"]["bank"] = event["bank"].clone(),
        "bank_given_back" => {
            (view["round"]["bank"], view["round"]["pile"]) = (Value::Null, Value::Null);
            view["seats"].as_array_mut().unwrap().iter_mut().for_each(|seat| seat["ready"] = json!(false));
        }
        "pile_picked" => view["round"]["pile"] = event["pile"].clone(),
        "wagers_opened" => set_phase(view, "wagers", &event["until"]),
        "wagered" => {
            let wager = event["wager"].as_str().unwrap();
            let target = seat_mut(view, seat);
            target["wagers"][wager] = json!({ "cents": event["cents"], "color": event["color"] });
            copy(&mut target["wagers"][wager], event, "button");
            target["ready"] = json!(false);
            view["round"]["bank"] = event["bank"].clone();
        }
        "cleared" => {
            let target = seat_mut(view, seat);
            target["wagers"].as_object_mut().unwrap().remove(event["wager"].as_str().unwrap());
            target["ready"] = json!(false);
            view["round"]["bank"] = event["bank"].clone();
        }
        "committed" => {
            view["round"]["commitments"][seat.unwrap().to_string()] = event["commitment"].clone();
        }
        "wagers_closed" => {
            set_phase(view, "revealing", &event["until"]);
            view["round"]["commitments"] = event["commitments"].clone();
            view["round"]["closed_signature"] = event["signature"].clone();
        }
        "bytes_added" | "revealed" => {
            view["round"]["bytes"][seat.unwrap().to_string()] = event["bytes"].clone();
        }
        "ready" => seat_mut(view, seat)["ready"] = json!(true),
        "dealt" => deal(view, event),
        "hand_set" => {
            let hand = &mut seat_mut(view, seat)["hand"];
            for part in ["low", "high", "foul", "by"] {
                hand[part] = event[part].clone();
            }
            hand["set"] = json!(true);
        }
        "settled" => {
            end_round(view, event);
            view["round"]["lines"] = event["settlement"].clone();
            view["round"]["net_cents"] = event["net_cents"].clone();
            copy(&mut view["round"], event, "settled_at");
            copy(&mut view["round"], event, "steps");
            view["last_bank"] = event["last_bank"].clone();
        }
        "round_voided" => {
            end_round(view, event);
            view["round"]["voided"] = event["reason"].clone();
            view["round"]["net_cents"] = Value::Null;
            for gone in ["lines", "settled_at", "steps"] {
                view["round"].as_object_mut().unwrap().remove(gone);
            }
            view["last_bank"] = event["last_bank"].clone();
        }
        "round_abandoned" => end_round(view, event),
        other => panic!("unknown event {other}"),
    }
}

/// Copies a field of an event, unless it is missing or an empty list.
fn copy(to: &mut Value, event: &Value, key: &str) {
    if let Some(value) = event.get(key).filter(|value| value.as_array().is_none_or(|items| !items.is_empty()))
    {
        to[key] = value.clone();
    }
}

/// Sets the seats of the viewer.
fn set_own_seats(view: &mut Value) {
    let player = view["player"].clone();
    let seats = view["seats"].as_array().unwrap().iter();
    let yours: Vec<Value> =
        seats.filter(|seat| seat["player"] == player).map(|seat| seat["seat"].clone()).collect();
    view["you"] = yours.first().cloned().unwrap_or_default();
    if yours.is_empty() {
        view.as_object_mut().unwrap().remove("yours");
    } else {
        view["yours"] = json!(yours);
    }
}

fn deal(view: &mut Value, event: &Value) {
    set_phase(view, "settings", &event["until"]);
    view["round"]["dice"] = event["dice"].clone();
    copy(&mut view["round"], event, "silent");
    for seat in event["seats"].as_array().unwrap() {
        let cards = &event["hands"][seat.to_string()];
        seat_mut(view, seat.as_u64())["hand"] = hidden_hand(cards);
    }
    if view["facts"]["dealer_hand"] == true {
        view["round"]["dealer"] = hidden_hand(&event["dealer"]);
    }
}

fn end_round(view: &mut Value, event: &Value) {
    set_phase(view, "between", &event["until"]);
    for seat in view["seats"].as_array_mut().unwrap() {
        seat["hand"] = event["hands"][seat["seat"].to_string()].clone();
    }
    view["round"]["secret"] = event["secret"].clone();
    view["round"]["dealer"] = event["dealer"].clone();
}

fn set_phase(view: &mut Value, phase: &str, until: &Value) {
    (view["phase"], view["until"], view["offered"]) = (json!(phase), until.clone(), Value::Null);
}

fn seat_mut(view: &mut Value, seat: Option<u64>) -> &mut Value {
    let seats = view["seats"].as_array_mut().unwrap();
    seats.iter_mut().find(|other| other["seat"].as_u64() == seat).unwrap()
}

fn empty_seat(seat: &Value, player: &Value) -> Value {
    json!({
        "seat": seat, "player": player, "out": false, "leaving": false, "ready": false,
        "wagers": Map::new(), "hand": null,
    })
}

fn hidden_hand(cards: &Value) -> Value {
    json!({ "cards": cards, "low": null, "high": null, "foul": null, "set": false, "by": null })
}

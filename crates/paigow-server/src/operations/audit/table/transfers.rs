//! Compares the transfers of a command with those in the journal.

use paigow_table::{Owner, Purpose, Transfer, TransferId, TransferKind};

/// Checks that the stored transfers are the expected ones.
///
/// If the operator guarantees banks, a charge that exceeds a player's balance is stored as two transfers: the balance
/// and the guarantee.
pub(super) fn compare_transfers(
    expected_transfers: &[Transfer],
    stored: &[&Transfer],
    guaranteed: bool,
) -> Result<(), (TransferId, String)> {
    let mut stored = stored.iter().copied().peekable();
    let mut split = false;
    for expected in expected_transfers {
        let Some(&found) = stored.peek() else {
            let message = format!(
                "is missing: {} cents from {} to {}",
                expected.cents, expected.debit.owner, expected.credit.owner
            );
            return Err((expected.id.clone(), message));
        };
        let is_same_kind = |found: &Transfer| {
            (&found.kind, &found.debit, &found.credit, found.purpose)
                == (&expected.kind, &expected.debit, &expected.credit, expected.purpose)
        };
        let mut left = expected.cents;
        if is_same_kind(found) && found.cents <= left {
            left -= found.cents;
            stored.next();
        }
        let may_split = guaranteed
            && expected.kind == TransferKind::Plain
            && matches!(expected.debit.owner, Owner::Player(_));
        if left > 0
            && may_split
            && let Some(&rest) = stored.peek()
            && rest.kind == TransferKind::Plain
            && rest.debit.owner == Owner::Guarantee
            && rest.credit == expected.credit
            && (rest.cents, rest.purpose) == (left, Purpose::Guarantee)
        {
            stored.next();
            left = 0;
            split = true;
        }
        if left > 0 {
            let message = format!(
                "moves {} cents from {} to {}, but should move {} cents from {} to {} ({})",
                found.cents,
                found.debit.owner,
                found.credit.owner,
                expected.cents,
                expected.debit.owner,
                expected.credit.owner,
                expected.id
            );
            return Err((found.id.clone(), message));
        }
        // After a split transfer, the numbers in the ids are higher than expected.
        if !split && found.id != expected.id {
            return Err((found.id.clone(), format!("should have the id {}", expected.id)));
        }
    }
    match stored.next() {
        Some(surplus) => Err((surplus.id.clone(), "does not follow from its command".to_owned())),
        None => Ok(()),
    }
}

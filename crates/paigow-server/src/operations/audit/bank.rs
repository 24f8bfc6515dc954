//! Checks that a bank pays only with the amount it has put up, never with the house's money.

use super::Finding;
use paigow_table::{LineRecord, Owner, Purpose, Table, TableEvent, Transfer};

/// Whether the operator guarantees banks at the table, as in versions before 0.2.0.
pub(super) fn is_guaranteed(table: &Table) -> bool {
    table.table_rules().book().banking.is_guaranteed()
}

/// Reports a transfer by which the house or the operator pays for a bank. The house may pay only what lines win against
/// it.
pub(super) fn house_pays(events: &[TableEvent], journal: &[&Transfer]) -> Result<(), Finding> {
    let lines = events.iter().find_map(|event| match event {
        TableEvent::Settled { settlement, .. } => Some(settlement),
        _ => None,
    });
    let mut owed = lines.map_or(0, |lines| owed_by_house(lines));
    for transfer in journal {
        let is_fault = match (&transfer.debit.owner, transfer.purpose) {
            (Owner::Guarantee, _) | (_, Purpose::Guarantee) => true,
            (Owner::House, Purpose::Won | Purpose::Envy) => {
                let cents = i128::from(transfer.cents);
                owed -= cents;
                owed < 0
            }
            _ => false,
        };
        if is_fault {
            let Transfer { cents, debit, credit, .. } = transfer;
            let message = format!(
                "moves {cents} cents from {} to {} for a bank, which may pay only with the amount it has put up",
                debit.owner, credit.owner
            );
            return Err(Finding::new("house_pays_for_bank", format!("transfer {}", transfer.id), message));
        }
    }
    Ok(())
}

/// Returns the sum that lines win against the house, including the commission.
fn owed_by_house(lines: &[LineRecord]) -> i128 {
    let against = lines.iter().filter(|line| line.against == "house");
    against.map(|line| (i128::from(line.net_cents) + i128::from(line.fee_cents)).max(0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow_table::{Account, PlayerId, Secret, Time, TransferKind};

    fn line(against: &str, net_cents: i64, fee_cents: u64) -> LineRecord {
        LineRecord {
            who: "seat-1".to_owned(),
            wager: "fortune".to_owned(),
            stake_cents: 500,
            outcome: "win".to_owned(),
            net_cents,
            fee_cents,
            against: against.to_owned(),
            reason: None,
            because: None,
            cite: None,
        }
    }

    fn transfer(debit: Owner, cents: u64, purpose: Purpose) -> Option<Transfer> {
        let currency: paigow_table::Currency = "USD".parse().ok()?;
        let player: PlayerId = "ann".parse().ok()?;
        let account = |owner| Account { owner, currency: currency.clone() };
        Some(Transfer {
            id: "t1/1/s1".parse().ok()?,
            kind: TransferKind::Plain,
            debit: account(debit),
            credit: account(Owner::Player(player)),
            cents,
            purpose,
        })
    }

    fn code(lines: Vec<LineRecord>, transfers: &[Option<Transfer>]) -> Option<&'static str> {
        let settled = TableEvent::Settled { secret: Secret([0; 32]), settlement: lines, until: Time(0) };
        let transfers: Vec<&Transfer> = transfers.iter().flatten().collect();
        assert!(!transfers.is_empty());
        house_pays(&[settled], &transfers).err().map(|finding| finding.code)
    }

    #[test]
    fn house_pays_only_wins_against_it() {
        let fault = Some("house_pays_for_bank");
        let won = |cents| transfer(Owner::House, cents, Purpose::Won);
        assert_eq!(code(vec![line("house", 95, 5)], &[won(100)]), None);
        assert_eq!(code(vec![line("house", 95, 5)], &[won(101)]), fault);
        assert_eq!(code(vec![line("house", 95, 5), line("banker", 100, 0)], &[won(100), won(100)]), fault);
        assert_eq!(code(vec![line("banker", 100, 0)], &[won(1)]), fault);
        assert_eq!(code(vec![line("banker", 100, 0)], &[transfer(Owner::House, 1, Purpose::Envy)]), fault);
    }

    #[test]
    fn operator_guarantee_is_a_fault() {
        let fault = Some("house_pays_for_bank");
        let line = || vec![line("banker", 100, 0)];
        assert_eq!(code(line(), &[transfer(Owner::Guarantee, 1, Purpose::Guarantee)]), fault);
        assert_eq!(code(line(), &[transfer(Owner::Guarantee, 1, Purpose::Won)]), fault);
        assert_eq!(code(line(), &[transfer(Owner::House, 1, Purpose::Guarantee)]), fault);
        // The dealer's hand loses against a bank.
        assert_eq!(code(line(), &[transfer(Owner::House, 1, Purpose::Lost)]), None);
    }
}

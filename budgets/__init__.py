"""Time and money: budget, ledger, measured speed, choice, enforcement, the outside caller."""

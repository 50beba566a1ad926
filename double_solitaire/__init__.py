"""Double Solitaire: deals, rules, and a solver whose verdicts are proofs or replayed games."""

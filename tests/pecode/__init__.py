"""The formulas, checked and fast: one file for each module of pecode."""

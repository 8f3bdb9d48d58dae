"""Every change to clubs and campaigns, and what games leave behind in the companies."""

from .aftermath import LoanTerms, aftermath_write, dice_seed, loan_take, loan_terms

__all__ = ["LoanTerms", "aftermath_write", "dice_seed", "loan_take", "loan_terms"]

"""What every app stands on and that is nobody's rosters: jobs, lists, mails, forms that are sent twice, keeping and clearing."""

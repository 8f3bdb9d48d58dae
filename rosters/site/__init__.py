"""Infrastructure for all apps, independent of rosters: jobs, lists, mails, forms submitted twice, retention and
clearing.
"""

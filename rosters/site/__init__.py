"""Infrastructure for all apps: jobs, lists, mails, forms submitted twice, retention and clearing."""

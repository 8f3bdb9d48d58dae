"""Infrastructure for all apps: jobs, lists, mails, forms that are submitted twice, deletion of expired data."""

"""Events and notifications: the list of event types, who is notified of each, and the channels."""

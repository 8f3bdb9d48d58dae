"""The campaigns part of the API, one module per area. Views read through selectors and write through services."""

"""Services for battles and forecasts."""

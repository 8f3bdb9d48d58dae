"""Every change to battles and forecasts."""

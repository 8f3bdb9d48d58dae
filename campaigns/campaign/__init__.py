"""A campaign itself: its settings, phases and companies, and its way from draft to finished."""

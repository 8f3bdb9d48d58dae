"""Watch parties: everybody sees a match simulated with autoplay orders at the same time; nobody can look ahead."""

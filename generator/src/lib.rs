#![doc = "Retrograde analysis."]

"""NFC readers: their drivers, what they see in their fields, and a supervisor that never
gives up.
"""

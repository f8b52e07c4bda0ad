"""Cards: which card an opaque tag stands for, and how cards are made."""

"""Cards: which card an opaque tag stands for, and how cards come to be."""

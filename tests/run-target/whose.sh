exec ./whose

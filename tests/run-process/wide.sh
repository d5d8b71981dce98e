./wide

namespace posiscope {}

"""Opens and clicks of emails, where somebody switched them on."""

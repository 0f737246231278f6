"""The products: each is a folder, and one line in the table of `pixsize.product`."""

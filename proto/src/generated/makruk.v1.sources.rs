&[
    ("makruk/v1/tablebase.proto", 0xac45b890),
]

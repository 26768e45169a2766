&[
    ("makruk/v1/tablebase.proto", 0xf8d5725f),
]

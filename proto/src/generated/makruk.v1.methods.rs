&[
    MethodDescription { name: "Probe", path: "/makruk.v1.Tablebase/Probe", client_streaming: false, server_streaming: false },
    MethodDescription { name: "ProbeBatch", path: "/makruk.v1.Tablebase/ProbeBatch", client_streaming: false, server_streaming: false },
    MethodDescription { name: "ProbeStream", path: "/makruk.v1.Tablebase/ProbeStream", client_streaming: true, server_streaming: true },
    MethodDescription { name: "BestLine", path: "/makruk.v1.Tablebase/BestLine", client_streaming: false, server_streaming: true },
    MethodDescription { name: "Play", path: "/makruk.v1.Tablebase/Play", client_streaming: false, server_streaming: false },
    MethodDescription { name: "ListTables", path: "/makruk.v1.Tablebase/ListTables", client_streaming: false, server_streaming: false },
    MethodDescription { name: "TableStatistics", path: "/makruk.v1.Tablebase/TableStatistics", client_streaming: false, server_streaming: false },
    MethodDescription { name: "FindSaves", path: "/makruk.v1.Tablebase/FindSaves", client_streaming: false, server_streaming: true },
    MethodDescription { name: "SaveStatistics", path: "/makruk.v1.Tablebase/SaveStatistics", client_streaming: false, server_streaming: false },
]

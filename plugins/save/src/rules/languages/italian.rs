//! Italian.

use super::table::Table;

/// The tables.
pub const TABLE: Table = Table {
    marks: "il lo la i gli le un una uno e è sono non che di in per con si su del della dei delle al alla nel nella io tu noi voi ma o \
            più mai sempre qui perché poi questo questa anche sì grazie da dal come senza ogni usa usiamo usare ora va deve",
    lasting: &["dora|ora in poi|avanti", "in futuro", "ricorda|ricordati che|di"],
    refuses: &[
        "no",
        "non così|quello",
        "fermo|ferma|fermati",
        "sbagliato",
        "annulla",
        "meglio no|di",
        "mai",
        "stop",
    ],
    agrees: &[
        "sì",
        "si",
        "ok",
        "va bene",
        "d accordo",
        "fallo",
        "perfetto",
        "esatto",
        "certo",
        "buona idea",
        "ottimo",
        "procedi",
    ],
    concedes: &[
        "volevo dire",
        "hai ragione",
        "è vero",
        "vero",
        "giusto",
        "buon punto",
        "lascia perdere|stare",
        "ripensandoci",
        "allora no",
        "errore mio",
        "dimentica|dimenticalo",
    ],
    instead: &[
        "invece di|che|del|della",
        "anziché",
        "al posto di|del|della|dei",
        "piuttosto che",
        "e non",
        "non ** ma",
    ],
    cause: &[
        "perché",
        "manca|mancava|mancavano",
        "serve|serviva|richiede|vuole|aspetta|bisogno",
        "deve|doveva|bisogna",
        "era|è|erano ** vuoto|sbagliato|vecchio|assoluto|non|già",
        "causa|ragione|motivo|problema",
        "basta",
        "senza",
        "invece",
        "non esiste|esisteva|c",
        "fallisce|rifiuta|ignora|puntava",
    ],
    report: &[
        "vado|provo|guardo|controllo|lancio",
        "fammi",
        "ora|tutto|test|sono|è ** verde|verdi|fatto|ok|passano",
        "fatto",
        "vuoi|devo",
    ],
    ..Table::EMPTY
};

//! Italian.

use super::Table;

/// The tables.
pub const TABLE: Table = Table {
    marks: "il lo la i gli le un una uno e è sono non che di in per con si su del della dei delle al alla nel nella io tu noi voi ma o \
            più mai sempre qui perché poi questo questa anche sì grazie da dal come senza ogni usa usiamo usare ora va deve",
    lasting: &[
        "mai !visto|capito|stato|funzionato|avuto|saputo|successo|più", "non ** mai", "sempre !fallisce|che|è|stato|il|la|lo|così|me|rotto|rosso|lo", "da ora|adesso|oggi|domani in", "da ora|adesso|oggi|domani ** avanti|poi", "d ora in poi|avanti", "in futuro", "usiamo|scriviamo|mettiamo|diamo ** qui|sempre|mai|solo|non", "qui ?non ?si usiamo|usa|scrive|tocca|mettiamo", "non usiamo|accettiamo|facciamo|scriviamo|permettiamo", "ogni|tutti|tutte ** deve|devono", "deve|devono ?sempre|mai essere|iniziare|seguire|avere|stare|restare|usare", "preferisco|preferiamo", "niente ** per|qui|nei|nelle|in", "per convenzione|regola", "la|nostra regola|convenzione è", "smetti|smettila|smettete di", "solo ed",
    ],
    wish: &["^non !so|capisco|funziona|è|c|va|credo|posso|vedo|ho|ha|importa|preoccuparti|si|mi|ci|serve", "per favore non|usa", "^usa|usate|evita|evitate|utilizza"],
    idle: &["questo|quello|lui|lei|io|tu|mi sempre|mai", "non ** mai funzionato|stato|visto|capito|successo", "sempre|mai fallisce|funziona|rotto", "come sempre", "deve|devono|dovrebbe|dovrebbero passare|funzionare|essere verde|verdi", "perché ** sempre|mai", "niente paura|problema|male"],
    scope: &["qui", "in|nel|nella questo|questa|nostro|progetto|repo|repository|team|codice|cartella", "direttamente", "a mano", "da nessuna|nessun", "mai", "più", "in produzione|main|master", "senza chiedere|permesso|revisione", "da qui"],
    passing: &["ancora", "per ora|adesso", "al momento", "stavolta", "questa volta", "oggi", "prima", "subito"],
    reason: &["perché", "poiché", "siccome", "dato che", "visto che", "altrimenti", "sennò", "a causa", "per evitare|non", "troppo|troppa lento|lenta|grande|caro|cara|tardi|pesante|lungo|fragile", "appartiene|appartengono", "è|sono ** generato|generati|generata|condiviso", "rompe|rompono", "rifiuta|rifiutano|fallisce", "peggiora|peggiorano", "più semplice|veloce|sicuro|economico", "è ** del|di team"],
    decided: &["abbiamo|ho|è|hanno ?già|ora deciso|scelto|optato|concordato|stabilito", "decisione", "andiamo con|su", "restiamo|rimaniamo|passiamo con|a|su", "useremo|passeremo|teniamo|cambiamo|migriamo", "usiamo ** invece|al|perché"],
    undecided: &["non|ancora|mai ** deciso|scelto", "se usiamo|usassimo", "forse|magari", "potremmo|dovremmo|possiamo", "prima di decidere", "penso|propongo|credo|suggerirei"],
    instead: &["invece di|che|del|della", "anziché", "al posto di|del|della|dei", "piuttosto che", "e non", "non ** ma"],
    request: &["usa|usiamo|cambia|metti|prendi|fai|sostituisci|salva|limita|manda|passa|andiamo", "bisogna", "deve|dobbiamo", "voglio"],
    limit: &["limite|tetto|quota", "limitato|limitata|limitati|limita a", "al massimo", "massimo ?di #", "max #", "non ** più|maggiore|superare|oltre|superi", "non ?è|si supportato|permesso|supporta|permette|accetta|possibile", "fino a #", "accetta|supporta|permette solo", "oltre|più|sopra ?di ?i # ", "# ** al|per secondo|minuto|ora|giorno"],
    edge: &["chiude|chiudono|scade|taglia ** dopo"],
    firm: &["non ** possiamo|può|si ** cambiare|aumentare|modificare|toccare", "limite rigido|fisso|duro", "per progetto|contratto|legge", "al|per secondo|minuto|ora|giorno", "dal loro lato", "da parte loro", "non lo ** aumenteranno|cambieranno|alzeranno", "non ** negoziabile", "non è|supporta|permette supportato|permesso", "al massimo", "da oggi|adesso|domani", "obbligatorio|contratto", "fornitore|api"],
    defer: &["non ora|adesso|subito", "ora|adesso no", "non ancora", "più tardi|avanti", "rimanda~|rimandiamo|rinvia~|rinviamo|posticipa~", "lasciamo|lascia|lo ** dopo|poi|quando|per", "solo quando|dopo", "quando ** sarà|esce|finisce|arriva", "in attesa", "fuori scope|ambito", "debito tecnico", "aspettiamo|aspettare|aspetta ** che|finché|il|la"],
    until: &["finché|fino", "quando", "una volta", "dopo", "appena", "prima", "perché", "prossimo|prossima", "aspetta|attesa"],
    asks: &["^che|cosa|come|perché|quando|dove|chi|quale|quali|quanto|quanti", "^puoi|potresti|possiamo|devo|dovrei|è"],
    supposes: &["e se", "immagina|immaginiamo", "supponiamo|supponi", "potremmo|potrebbe|potresti", "ipoteticamente|teoricamente", "in teoria", "forse|magari", "se usassimo|avessimo|fosse", "un giorno", "sarebbe"],
    jests: &["scherzo|scherzavo|scherzando", "battuta", "ahah~|haha~", "per scherzo", "lol"],
    hearsay: &["lui|lei|collega|capo|articolo|blog|documentazione|cliente|amico|qualcuno|gente|readme ?sempre dice|ha|pensa|consiglia|suggerisce|vuole|scrive", "secondo", "ho letto|sentito|visto", "dicono che", "altra|altro|vecchia|precedente azienda|team|progetto|lavoro"],
    keep: &["ricorda|ricordati|ricordate", "tieni|tienilo|tenete ** mente|presente", "non dimenticare|dimenticarti", "segna|segnati|annota|nota", "per la prossima", "per dopo"],
    refuses: &["no", "non così|quello", "fermo|ferma|fermati", "sbagliato", "annulla", "meglio no|di", "mai", "stop"],
    agrees: &["sì", "si", "ok", "va bene", "d accordo", "fallo", "perfetto", "esatto", "certo", "buona idea", "ottimo", "procedi"],
    concedes: &["hai ragione", "è vero", "vero", "giusto", "buon punto", "lascia perdere|stare", "ripensandoci", "allora no", "errore mio", "dimentica|dimenticalo"],
    cause: &["perché", "manca|mancava|mancavano", "serve|serviva|richiede|vuole|aspetta|bisogno", "deve|doveva|bisogna", "era|è|erano ** vuoto|sbagliato|vecchio|assoluto|non|già", "causa|ragione|motivo|problema", "basta", "senza", "invece", "non esiste|esisteva|c", "fallisce|rifiuta|ignora|puntava"],
    report: &["vado|provo|guardo|controllo|lancio", "fammi", "ora|tutto|test|sono|è ** verde|verdi|fatto|ok|passano", "fatto", "vuoi|devo"],
    script: None,
};

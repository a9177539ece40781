//! Italian: what it is told by, and rules.

mod matter;
mod talk;

use super::table::Table;

/// The tables.
pub const TABLE: Table = Table {
    marks: "il lo la i gli le un una uno e è sono non che di in per con si su del della dei delle al alla nel nella io tu noi voi ma o \
            più mai sempre qui perché poi questo questa anche sì grazie da dal come senza ogni usa usiamo usare ora va deve",
    lasting: &[
        "mai|sempre in|con|per|senza|su|nel|nella|contro",
        "usa|usate|scrivi|metti ** sempre|mai",
        "^mai !visto|capito|stato|funzionato|avuto|saputo|successo|più",
        "non ** mai",
        "^sempre !compare|esce|vedo|fallisce|che|è|stato|il|la|lo|così|me|rotto|rosso|lo",
        "da ora|adesso|oggi|domani in",
        "da ora|adesso|oggi|domani ** avanti|poi",
        "d ora in poi|avanti",
        "in futuro",
        "usiamo|scriviamo|mettiamo|diamo ** qui|sempre|mai|solo|non",
        "qui ?non ?si usiamo|usa|scrive|tocca|mettiamo",
        "non usiamo|accettiamo|facciamo|scriviamo|permettiamo",
        "ogni|tutti|tutte ** deve|devono",
        "deve|devono sempre|mai|iniziare|seguire",
        "preferisco|preferiamo",
        "niente ** per|qui|nei|nelle|in",
        "per convenzione|regola",
        "la|nostra regola|convenzione è",
        "smetti|smettila|smettete di",
        "solo ed",
    ],
    wish: &[
        "^non !so|capisco|funziona|è|c|va|credo|posso|vedo|ho|ha|importa|preoccuparti|si|mi|ci|serve",
        "per favore non|usa",
        "^usa|usate|evita|evitate|utilizza",
    ],
    custom: &["^usiamo|scriviamo|mettiamo|qui|noi"],
    idle: &[
        "è|sono|ho|ha|sta|stanno ** sempre|mai",
        "questo|quello|lui|lei|io|tu|mi sempre|mai",
        "non ** mai funzionato|stato|visto|capito|successo",
        "sempre|mai fallisce|funziona|rotto",
        "come sempre",
        "deve|devono|dovrebbe|dovrebbero passare|funzionare|essere verde|verdi",
        "perché ** sempre|mai",
        "niente paura|problema|male",
    ],
    scope: &[
        "qui",
        "in|nel|nella questo|questa|nostro|progetto|repo|repository|team|codice|cartella",
        "direttamente",
        "a mano",
        "da nessuna|nessun",
        "mai",
        "più",
        "in produzione|main|master",
        "senza chiedere|permesso|revisione",
        "da qui",
    ],
    passing: &[
        "ancora",
        "per ora|adesso",
        "al momento",
        "stavolta",
        "questa volta",
        "oggi",
        "prima",
        "subito",
    ],
    reason: &[
        "perché",
        "poiché",
        "siccome",
        "dato che",
        "visto che",
        "altrimenti",
        "sennò",
        "a causa",
        "per evitare|non",
        "troppo|troppa lento|lenta|grande|caro|cara|tardi|pesante|lungo|fragile",
        "appartiene|appartengono",
        "è|sono ** generato|generati|generata|condiviso",
        "rompe|rompono",
        "rifiuta|rifiutano|fallisce",
        "peggiora|peggiorano",
        "più semplice|veloce|sicuro|economico",
        "è ** del|di team",
    ],
    ..matter::TABLE
};

//! Polish, Hungarian and Turkish: rules, refusals and questions that can be told without doubt, and little else.

use super::table::Table;

/// The tables.
pub const TABLES: [&Table; 3] = [&POLISH, &HUNGARIAN, &TURKISH];

const POLISH: Table = Table {
    lasting: &["od teraz|dziś|dzisiaj", "na przyszłość", "zapamiętaj"],
    marks: "nie i w na z do że się jest są to nigdy zawsze proszę od tylko ale czy jak tak bo tu tutaj używaj dla po ze oraz lub ponieważ już",
    instead: &["zamiast"],
    refuses: &["nie", "stop", "źle", "cofnij"],
    agrees: &["tak", "ok", "dobrze", "zgoda", "super", "świetnie"],
    concedes: &["masz rację", "racja", "zapomnij", "dobra to nie"],
    cause: &["bo", "ponieważ", "brakuje|brakowało", "musi|musiał", "nie było|ma", "wymaga"],
    report: &["zrobione|gotowe", "testy"],
    ..Table::EMPTY
};

const HUNGARIAN: Table = Table {
    marks: "a az és nem hogy egy van is de ha csak mindig soha kérlek itt mert ne vagy még már ez ezt azt meg használj használjunk használd legyen mostantól",
    instead: &["helyett"],
    refuses: &["nem", "ne", "állj", "rossz"],
    agrees: &["igen", "ok", "jó", "rendben", "persze", "szuper"],
    concedes: &["igazad van", "igaz", "felejtsd el", "hagyjuk"],
    cause: &["mert", "hiányzott|hiányzik", "kell|kellett", "nem volt"],
    report: &["kész", "zöld"],
    ..Table::EMPTY
};

const TURKISH: Table = Table {
    marks: "bir ve bu için değil ama de da ile asla hep her zaman lütfen burada çünkü bundan böyle artık kullan kullanma kullanın kullanmayın var yok mi mı ne ya",
    instead: &["yerine"],
    refuses: &["hayır", "yok", "dur", "yanlış", "öyle değil"],
    agrees: &["evet", "tamam", "olur", "güzel", "harika"],
    concedes: &["haklısın", "doğru", "boşver", "vazgeçtim"],
    cause: &["çünkü", "eksik|eksikti", "gerekiyor|gerekiyordu|lazım", "yoktu|yok"],
    report: &["tamamlandı|bitti", "yeşil"],
    ..Table::EMPTY
};

//! Dutch: decisions, limits, what is put off.

use super::talk;
use crate::rules::tongue::table::Table;

/// The tables, with those of the talk.
pub const TABLE: Table = Table {
    decided: &[
        "we gaan|kiezen|blijven|nemen|stappen|houden|zetten ** voor|met|bij|op|over",
        "laten we ** gebruiken|nemen|gaan|blijven|overstappen",
    ],
    settled: &[
        "we|ik hebben|heb ?nu besloten|gekozen|afgesproken",
        "is|zijn besloten|afgesproken",
        "besluit|beslissing",
    ],
    undecided: &[
        "nog|niet|nooit ** besloten|gekozen",
        "als we",
        "misschien|eventueel",
        "we zouden|kunnen|moeten",
        "voordat we",
        "ik zou|denk|stel|vind",
    ],
    instead: &["in plaats van", "ipv", "liever dan", "niet ** maar", "en niet"],
    task: &["^voeg|beperk|zet|maak|verander|toon|verlaag|implementeer", "zou|zouden"],
    limit: &[
        "alleen lezen",
        "limiet|grens|bovengrens|quotum|quota",
        "beperkt|gelimiteerd tot",
        "maximaal|hoogstens|hooguit",
        "max #",
        "minstens #",
        "niet|nooit ** meer|langer|groter|hoger dan",
        "niet ondersteund|toegestaan|mogelijk",
        "ondersteunt|accepteert|staat ** alleen|geen|niet",
        "tot # ",
        "boven|meer ?dan ?de # ",
        "# ** per seconde|minuut|uur|dag",
    ],
    edge: &["sluit|sluiten|verbreekt|verloopt ** na"],
    firm: &[
        "kunnen|kan ** we|niet|niks ** veranderen|verhogen|aanpassen|wijzigen",
        "harde|vaste limiet|grens",
        "by design",
        "bewust zo",
        "contract|contractueel|wet|wettelijk|verplicht",
        "per seconde|minuut|uur|dag",
        "aan hun kant",
        "gaan|zullen ** niet ** verhogen|veranderen",
        "niet onderhandelbaar|ondersteund|toegestaan",
        "vanaf vandaag|nu|morgen",
        "leverancier|api",
    ],
    defer: &[
        "nu ?nog niet",
        "nog niet",
        "later",
        "uitstel~|uitgesteld|stellen ** uit",
        "stellen|stel|schuiven|schuif ** uit|door|op",
        "pas als|wanneer|na|zodra",
        "laten|laat ** voor later|liggen",
        "in de wacht",
        "wachten|wacht ** op|tot",
        "buiten scope",
        "technische schuld",
        "volgende sprint|release|kwartaal",
        "voorlopig niet|geen",
    ],
    until: &[
        "tot|totdat",
        "zodra",
        "als|wanneer",
        "na|nadat",
        "pas",
        "voordat",
        "omdat",
        "volgende",
        "wacht|wachten",
    ],
    ..talk::TABLE
};

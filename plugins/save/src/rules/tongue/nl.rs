//! Dutch.

use super::Table;

/// The tables.
pub const TABLE: Table = Table {
    marks: "de het een en is zijn niet geen we wij je jij ik van voor met op in aan bij naar om te dat dit die maar of want omdat \
            nooit altijd graag alsjeblieft hier nu nee ja dan ook nog wel wat hoe waarom kan moet moeten mag worden wordt uit als er gebruik",
    lasting: &[
        "nooit !gezien|gewerkt|geweest|gehad|geweten|meer|gehoord", "altijd !nog|weer|al|de|het|dat|kapot|rood|fout", "vanaf|van nu|vandaag|morgen ?af", "voortaan", "in het vervolg", "in de toekomst", "we|wij gebruiken|schrijven|nemen|zeggen|zetten|doen ** hier|altijd|nooit|alleen|geen|niet", "^geen ** hier|graag|meer|alsjeblieft|in", "graag geen", "elke|iedere|alle ** moet|moeten|krijgt|krijgen|heeft|hebben nodig", "moet|moeten altijd|nooit|beginnen|volgen|hebben|zijn|blijven", "mag|mogen nooit|niet|alleen|geen", "ik heb ** liever", "ik prefereer", "^liever ** dan", "onze|de regel|afspraak|conventie is", "handen af", "blijf ** af|van", "stop met", "^alleen nog", "onder geen",
    ],
    wish: &["niet ** aanraken|aankomen|gebruiken|wijzigen|aanpassen|committen|pushen", "^gebruik|vermijd|schrijf|zet|noem", "graag|alsjeblieft niet|geen", "^niet"],
    idle: &["dat|het|dit|hij|zij|ik|je ** werkt|is|heeft|faalt|doet ** nooit|altijd", "altijd nog|weer|faalt|kapot", "zoals altijd", "nooit gewerkt|gezien", "moet|moeten|zou ** slagen|werken|groen", "waarom ** altijd|nooit", "geen idee|probleem|haast|zorgen|zin"],
    scope: &["hier", "in dit|deze|ons|onze|het project|repo|team|code|map", "direct|rechtstreeks", "met de hand", "nergens", "overal", "nooit", "meer", "in productie|main|master", "zonder te|overleg|review"],
    passing: &["nog niet", "voorlopig", "nu even", "deze keer", "vandaag", "eerst", "op dit moment", "straks", "zo"],
    reason: &["omdat", "want", "anders", "zodat", "vanwege", "wegens", "doordat", "te traag|langzaam|groot|duur|laat|zwaar|lang|fragiel|complex", "hoort|horen bij", "is|zijn|wordt|worden ** gegenereerd|gedeeld|overschreven|beheerd", "breekt|breken", "weigert|faalt", "maakt ** erger|trager", "erger", "eenvoudiger|sneller|veiliger|goedkoper", "is|zijn van", "om ** te"],
    decided: &["we|ik hebben|heb ?nu besloten|gekozen|afgesproken", "is|zijn besloten|afgesproken", "besluit|beslissing", "we gaan|kiezen|blijven|nemen|stappen|houden|zetten ** voor|met|bij|op|over", "laten we ** gebruiken|nemen|gaan|blijven|overstappen"],
    undecided: &["nog|niet|nooit ** besloten|gekozen", "als we", "misschien|eventueel", "we zouden|kunnen|moeten", "voordat we", "ik zou|denk|stel|vind"],
    instead: &["in plaats van", "ipv", "liever dan", "niet ** maar", "en niet"],
    request: &["gebruik|maak|verander|vervang|zet|neem|doe|stuur|bewaar|beperk|laten", "moet|moeten", "graag", "we"],
    limit: &["limiet|grens|bovengrens|quotum|quota", "beperkt|gelimiteerd tot", "maximaal|hoogstens|hooguit", "max #", "minstens #", "niet|nooit ** meer|langer|groter|hoger dan", "niet ondersteund|toegestaan|mogelijk", "ondersteunt|accepteert|staat ** alleen|geen|niet", "tot # ", "boven|meer ?dan ?de # ", "# ** per seconde|minuut|uur|dag"],
    edge: &["sluit|sluiten|verbreekt|verloopt ** na"],
    firm: &["kunnen|kan ** we|niet|niks ** veranderen|verhogen|aanpassen|wijzigen", "harde|vaste limiet|grens", "by design", "bewust zo", "contract|contractueel|wet|wettelijk|verplicht", "per seconde|minuut|uur|dag", "aan hun kant", "gaan|zullen ** niet ** verhogen|veranderen", "niet onderhandelbaar|ondersteund|toegestaan", "maximaal", "vanaf vandaag|nu|morgen", "leverancier|api"],
    defer: &["nu ?nog niet", "nog niet", "later", "uitstel~|uitgesteld|stellen ** uit", "stellen|stel|schuiven|schuif ** uit|door|op", "pas als|wanneer|na|zodra", "laten|laat ** voor later|liggen", "in de wacht", "wachten|wacht ** op|tot", "buiten scope", "technische schuld", "volgende sprint|release|kwartaal", "voorlopig niet|geen"],
    until: &["tot|totdat", "zodra", "als|wanneer", "na|nadat", "pas", "voordat", "omdat", "volgende", "wacht|wachten"],
    asks: &["^kan|kun|kunnen|zou|zouden|moet|moeten|is|zijn|heb|heeft|wil|mag je|we|ik|het|er|dat|jij|de", "^wat|hoe|waarom|wanneer|waar|wie|welke|welk"],
    supposes: &["wat als", "stel dat|je|dat", "stel je voor", "zouden we", "we zouden|kunnen", "hypothetisch|theoretisch", "in theorie", "misschien|eventueel", "als we ** zouden|hadden", "ooit", "zou ** leuk|mooi|fijn|handig"],
    jests: &["grapje|geintje", "grapje hoor", "haha~", "lol", "ik maak maar"],
    hearsay: &["hij|zij|collega|baas|iemand|artikel|blog|documentatie|klant|vriend|mensen|readme ?altijd zegt|zei|vindt|denkt|schrijft|schreef|wil|raadt", "volgens", "ik heb|las|hoorde ** gelezen|gehoord", "andere|oude|vorige bedrijf|team|project|baan"],
    keep: &["onthoud|onthou", "hou|houd ** rekening|gedachten|achterhoofd", "vergeet niet", "noteer", "ter info", "voor later|volgende", "denk eraan|erom"],
    refuses: &["nee", "neen", "niet zo|die|dat|doen", "stop", "fout", "klopt niet", "liever niet", "dat is niet|fout", "draai ** terug", "nooit", "toch niet"],
    agrees: &["ja", "ok", "oké", "prima", "goed", "doe maar|dat", "akkoord", "precies", "klinkt goed", "perfect", "goed idee", "top", "graag"],
    concedes: &["je hebt gelijk", "klopt", "goed punt", "laat maar", "vergeet het|dat", "bij nader", "dan niet", "toch maar niet", "mijn fout", "daar heb"],
    cause: &["omdat", "want", "ontbreekt|ontbrak|ontbraken|miste|mist", "nodig", "moet|moest|vereist|verwacht|verwachtte|wil", "was|is|waren ** niet|leeg|fout|verouderd|oud|absoluut|al|te", "oorzaak|reden|probleem", "genoeg|volstaat", "zonder", "in plaats", "bestaat|bestond", "faalt|weigert|negeert|wees", "geen"],
    report: &["ik ga|kijk|zal|probeer|draai|voeg|pas", "laat me", "nu|alles|tests|is|zijn ** groen|klaar|gedaan", "klaar|gedaan", "gecommit|gepusht", "wil|zal je|ik"],
    script: None,
};

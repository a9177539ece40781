//! French: decisions, limits, what is put off.

use super::talk;
use crate::rules::tongue::table::Table;

/// The tables, with those of the talk.
pub const TABLE: Table = Table {
    decided: &[
        "on|nous part|partons|passe|passons|reste|restons|garde|gardons|prend|prenons|va|allons",
        "^partons|prenons|gardons|utilisons|restons|passons",
    ],
    settled: &["on|nous|j ?ai ?a|avons ?donc décidé|choisi|opté|convenu|tranché", "décision"],
    undecided: &[
        "pas|jamais encore décidé|choisi",
        "n a|avons pas|rien décidé",
        "si on|nous",
        "peut être",
        "peutêtre",
        "on|nous pourrait|pourrions|devrait|devrions",
        "avant de décider",
        "je pense|crois|propose|suggère",
    ],
    instead: &["plutôt que|qu", "au lieu de|d", "à la place de|du|d", "et non", "et pas"],
    task: &["^ajoute|limite|mets|fais|change|crée|affiche|réduis|implémente|modifie", "devrait|devraient"],
    limit: &[
        "limite|plafond|quota",
        "limité|limitée|limités|plafonné|plafonnée à",
        "au maximum|plus|moins",
        "max #",
        "maximum",
        "ne ** dépasser|dépasse",
        "pas pris|supporté|autorisé|possible",
        "n|ne est|sont pas ?pris ?en supporté|autorisé|possible|charge|permis",
        "jusqu à #",
        "accepte|acceptent ** que|pas|maximum",
        "plus de # ",
        "# ** par seconde|minute|heure|jour",
    ],
    edge: &["coupe|ferme|expire ** après|au"],
    firm: &[
        "on|nous ne|peut ** pas|rien changer|augmenter|modifier|faire",
        "limite stricte|dure|imposée|ferme",
        "c est ** voulu|conception|contrat|loi",
        "par seconde|minute|heure|jour",
        "de leur côté",
        "pas négociable",
        "non négociable",
        "n augmenteront pas",
        "pas supporté|autorisé|possible",
        "à partir de aujourdhui|maintenant",
        "imposé|imposée|obligatoire",
        "api|fournisseur",
    ],
    defer: &[
        "pas maintenant",
        "pas tout de suite",
        "plus tard",
        "reporte~|reporté|reportons|repousse~|différer|diffère",
        "on verra ** plus|quand|après",
        "en attente",
        "une fois que",
        "en attendant",
        "attendre|attend que|la|le",
        "hors périmètre",
        "dette technique",
    ],
    until: &[
        "jusqu",
        "une fois",
        "quand|lorsque",
        "après",
        "dès que|qu",
        "avant",
        "tant que",
        "parce",
        "attend|attendant",
    ],
    ..talk::TABLE
};

//! Spanish: what it is told by, and rules.

mod matter;
mod talk;

use super::table::Table;

/// The tables.
pub const TABLE: Table = Table {
    marks: "el la los las un una y es son no que de en para con por se lo su nos tú yo pero o más muy nunca siempre jamás aquí \
            porque vez hay usa usar usamos está del al como sin mejor sí gracias hasta si ya esto cada hemos debe ahora",
    lasting: &[
        "usa|uses|usad|escribe|pon|pongas|hagas ** siempre|nunca",
        "no ** nunca !funciona|funcionó|ha|he|visto",
        "^nunca|jamás !he|ha|hemos|había|funciona|funcionó|funcionaba|pasa|vi|supe|lo|visto",
        "^siempre !sale|aparece|ocurre|hay|da|tengo|veo|falla|está|es|lo|la|que|ha|he|igual|me|se|fue|pasa",
        "a partir de ahora|hoy|mañana",
        "de ahora|aquí en",
        "en adelante",
        "en el futuro",
        "en lo sucesivo",
        "no ** bajo ningún",
        "usamos|escribimos|ponemos|tuteamos ** aquí|siempre|nunca|no|solo",
        "aquí ?no ?se usamos|usa|escribe|escribimos|permite|permiten|toca|usan",
        "no ?se usamos|permitimos|aceptamos|hacemos|escribimos",
        "cada|todos|todas|todo ** debe|deben|tiene|tienen|lleva|llevan",
        "debe|deben|tiene|tienen ?que siempre|nunca|empezar|seguir|llevar",
        "prefiero|preferimos",
        "nada de ** por|aquí|en",
        "por convención|norma|regla",
        "nuestra|la regla|norma|convención es",
        "deja|dejad|dejen de",
        "evita|evitad siempre",
        "no ** más",
    ],
    wish: &[
        "no !sé|entiendo|funciona|hay|es|está|creo|puedo|veo|pasa|importa|se|tengo|he|ha|lo|problema|importa|me|te|quiero ** ",
        "^no !sé|entiendo|funciona|hay|es|está|creo|puedo|veo|pasa|importa|se|tengo|he|ha|lo|problema|me|te|quiero",
        "^usa|usad|usen|utiliza|evita",
        "por favor no|usa",
    ],
    custom: &["^usamos|escribimos|utilizamos|ponemos|aquí"],
    idle: &[
        "eso|esto|ello|tú|yo|me|se|te siempre|nunca",
        "nunca|siempre falla|ha|he|hemos|funciona|funcionó|se",
        "como siempre",
        "debe|deben|debería|deberían pasar|funcionar|estar|compilar",
        "por qué ** siempre|nunca",
        "no hay problema|prisa",
    ],
    scope: &[
        "aquí",
        "en este|esta|nuestro|nuestra|el|la proyecto|repo|repositorio|equipo|código|carpeta",
        "directamente",
        "a mano",
        "en ningún",
        "nunca",
        "más",
        "sin preguntar|permiso|revisión",
        "en producción|main|master",
        "desde aquí",
    ],
    passing: &[
        "todavía",
        "aún",
        "por ahora",
        "de momento",
        "por el momento",
        "esta vez",
        "hoy",
        "primero",
        "ahora mismo",
    ],
    reason: &[
        "porque",
        "ya que",
        "puesto que",
        "pues",
        "si no",
        "de lo contrario",
        "debido",
        "para que|evitar",
        "demasiado|demasiada|muy lento|lenta|grande|caro|cara|tarde|pesado|largo|frágil",
        "pertenece|pertenecen",
        "es|son|está|están ** generado|generados|generada|compartido",
        "rompe|rompen",
        "rechaza|rechazan|falla",
        "empeora|empeoran",
        "más simple|sencillo|rápido|seguro|barato",
        "es ** de|del equipo",
    ],
    ..matter::TABLE
};

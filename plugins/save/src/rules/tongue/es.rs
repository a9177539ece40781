//! Spanish.

use super::Table;

/// The tables.
pub const TABLE: Table = Table {
    marks: "el la los las un una y es son no que de en para con por se lo su nos tú yo pero o más muy nunca siempre jamás aquí \
            porque vez hay usa usar usamos está del al como sin mejor sí gracias hasta si ya esto cada hemos debe ahora",
    lasting: &[
        "nunca|jamás !he|ha|hemos|había|funciona|funcionó|funcionaba|pasa|vi|supe|lo|visto", "siempre !falla|está|es|lo|la|que|ha|he|igual|me|se|fue|pasa", "a partir de ahora|hoy|mañana", "de ahora|aquí en", "en adelante", "en el futuro", "en lo sucesivo", "no ** bajo ningún", "usamos|escribimos|ponemos|tuteamos ** aquí|siempre|nunca|no|solo", "aquí ?no ?se usamos|usa|escribe|escribimos|permite|permiten|toca|usan", "no ?se usamos|permitimos|aceptamos|hacemos|escribimos", "cada|todos|todas|todo ** debe|deben|tiene|tienen|lleva|llevan", "debe|deben|tiene|tienen ?que siempre|nunca|ser|empezar|seguir|llevar|ir|estar", "prefiero|preferimos", "nada de ** por|aquí|en", "por convención|norma|regla", "nuestra|la regla|norma|convención es", "deja|dejad|dejen de", "evita|evitad siempre", "no ** más",
    ],
    wish: &["no !sé|entiendo|funciona|hay|es|está|creo|puedo|veo|pasa|importa|se|tengo|he|ha|lo|problema|importa|me|te|quiero ** ", "^no !sé|entiendo|funciona|hay|es|está|creo|puedo|veo|pasa|importa|se|tengo|he|ha|lo|problema|me|te|quiero", "^usa|usad|usen|utiliza|evita", "por favor no|usa"],
    idle: &["eso|esto|ello|tú|yo|me|se|te siempre|nunca", "nunca|siempre falla|ha|he|hemos|funciona|funcionó|se", "como siempre", "debe|deben|debería|deberían pasar|funcionar|estar|compilar", "por qué ** siempre|nunca", "no hay problema|prisa"],
    scope: &["aquí", "en este|esta|nuestro|nuestra|el|la proyecto|repo|repositorio|equipo|código|carpeta", "directamente", "a mano", "en ningún", "nunca", "más", "sin preguntar|permiso|revisión", "en producción|main|master", "desde aquí"],
    passing: &["todavía", "aún", "por ahora", "de momento", "por el momento", "esta vez", "hoy", "primero", "ahora mismo"],
    reason: &["porque", "ya que", "puesto que", "pues", "si no", "de lo contrario", "debido", "para que|evitar", "demasiado|demasiada|muy lento|lenta|grande|caro|cara|tarde|pesado|largo|frágil", "pertenece|pertenecen", "es|son|está|están ** generado|generados|generada|compartido", "rompe|rompen", "rechaza|rechazan|falla", "empeora|empeoran", "más simple|sencillo|rápido|seguro|barato", "es ** de|del equipo"],
    decided: &["hemos|he|ha|han ?ya decidido|elegido|optado|acordado", "decidimos|elegimos|optamos|acordamos", "decisión", "vamos con|a usar|por", "nos quedamos|vamos|pasamos", "nos quedamos con", "usaremos|pasaremos|cambiamos|migramos|quedamos", "^usemos|quedémonos|vayamos"],
    undecided: &["no|aún|todavía|nunca ** decidido|decidimos", "si vamos|usamos|usáramos", "quizá|quizás|tal vez", "podríamos|deberíamos|podemos", "antes de decidir", "creo|propongo|sugiero|pienso"],
    instead: &["en vez de|del", "en lugar de|del", "mejor que", "antes que", "y no", "no ** sino"],
    request: &["usa|usemos|cambia|pon|toma|haz|reemplaza|guarda|limita|manda|pasa|vamos", "hay que", "debe|debemos", "quiero"],
    limit: &["límite|tope|cuota|cupo", "limitado|limitada|limitados|limitadas|limita a|por", "como máximo|mucho", "máximo ?de #", "max #", "no ** más|mayor|exceder|superar|pasar|supere", "no ?está|es|se soporta|soportado|permitido|admite|permite|permiten|acepta|soportan", "hasta #", "solo|sólo acepta|permite|admite|soporta|hay", "por encima|más de # ", "# ** por segundo|minuto|hora|día"],
    edge: &["cierra|cierran|corta|cortan|caduca|expira ** a|tras|después"],
    firm: &["no ** podemos|puede|se ** cambiar|subir|aumentar|modificar|tocar", "límite duro|estricto|fijo", "por diseño|contrato|ley", "por segundo|minuto|hora|día", "de su lado|parte", "no ** van a subir|cambiar|aumentar", "no lo van|cambiarán|subirán", "no ** negociable", "no ?está|es|se soportado|permitido|admite|soporta|permite", "como máximo", "a partir|desde de hoy|ahora|hoy|mañana", "obligatorio|impuesto|contrato", "proveedor|api"],
    defer: &["ahora no", "todavía no", "aún no", "más tarde|adelante", "aplaza~|aplazamos|pospon~|posponemos|posterga~|retrasa~", "dejamos|dejemos|deja|dejalo|déjalo|lo ** para después|luego|más|cuando|otro", "para después|luego|otro", "cuando ** esté|estén|salga|termine|llegue", "en espera", "solo|sólo cuando|después", "fuera de alcance", "deuda técnica", "esperamos|esperar|espera|pendiente a|hasta"],
    until: &["hasta", "cuando", "una vez", "después", "tras", "en cuanto", "antes", "porque", "próximo|próxima"],
    asks: &["¿", "^qué|cómo|por qué|cuándo|dónde|quién|cuál|cuáles|cuánto|cuántos", "^puedes|podrías|podemos|debo|debería|hay|es|está"],
    supposes: &["y si", "imagina|imagínate|imaginemos", "supongamos|supón", "podríamos|podría|podrías", "hipotéticamente|teóricamente", "en teoría", "quizá|quizás|tal vez", "si usáramos|tuviéramos|fuera|hubiera", "algún día", "sería"],
    jests: &["es broma", "broma|bromas|bromeo", "jaja~", "era ** broma|coña", "lol", "estoy bromeando"],
    hearsay: &["él|ella|colega|jefe|jefa|artículo|blog|documentación|cliente|amigo|alguien|gente|readme|compañero ?siempre dice|dijo|piensa|cree|recomienda|sugiere|quiere|escribió|escribe", "según", "he leído|oído|visto", "dicen que", "otro|otra|anterior|antigua empresa|equipo|proyecto|trabajo"],
    keep: &["recuerda|recuérdalo|acuérdate", "ten|tenlo|tened ** cuenta|presente", "no olvides|te olvides", "toma|apunta|anota ?nota", "para la próxima|el registro", "para más tarde"],
    refuses: &["no", "así no", "para", "mal", "eso no|está", "incorrecto", "deshaz", "mejor no", "alto", "nunca", "qué va"],
    agrees: &["sí", "si", "vale", "ok", "de acuerdo", "adelante", "hazlo", "perfecto", "bien", "exacto", "claro", "buena idea", "genial", "suena bien"],
    concedes: &["tienes razón", "es verdad", "cierto", "buen punto", "olvídalo", "déjalo", "pensándolo mejor", "mejor no entonces", "mi error", "entonces no", "vale entonces no"],
    cause: &["porque", "falta|faltaba|faltaban|faltan", "necesita|necesitaba|requiere|exige|espera", "debe|debía|hay|había ** que|no", "era|es|estaba|está|estaban ** vacío|mal|viejo|antiguo|absoluto|no|ya|solo", "causa|razón|problema|culpa", "basta", "sin", "en vez", "no existe|existía|estaba|tiene|tenía", "falla|rechaza|ignora|apuntaba"],
    report: &["voy a", "déjame", "ahora|todo|tests|pruebas|está|están ** verde|verdes|listo|hecho|pasan", "listo|hecho", "quieres|debo", "he hecho commit"],
    script: None,
};

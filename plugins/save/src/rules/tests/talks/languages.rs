//! What people say, in their languages.

use super::table;
use interleaf_layer::memory::Category::{Constraint, Decision, Preference, TechDebt};

#[test]
fn rules_are_found_in_every_language() {
    table(&[
        (
            "u: bitte in den Rechnungen immer Beträge in Cent speichern, nie als float, sonst gibt es Rundungsfehler",
            &[(Preference, &["Cent", "Rundungsfehler"])],
        ),
        ("u: ab jetzt antworte mir auf Deutsch", &[(Preference, &["Deutsch"])]),
        ("u: Finger weg vom Ordner legacy/, der gehört dem Billing-Team", &[(Preference, &["legacy"])]),
        (
            "u: Kannst du den Login bauen?\na: Ja.\nu: nein, nimm hier kein Redux, wir nutzen überall Zustand",
            &[(Preference, &["Zustand"])],
        ),
        ("u: Commit-Nachrichten bitte auf Englisch und im Imperativ", &[(Preference, &["Englisch"])]),
        ("u: n'utilise jamais moment.js ici, on utilise date-fns partout", &[(Preference, &["date-fns"])]),
        ("u: désormais tous les messages de commit en anglais", &[(Preference, &["anglais"])]),
        ("u: nunca uses var en este proyecto, siempre const o let", &[(Preference, &["const"])]),
        ("u: a partir de ahora los nombres de las ramas en inglés", &[(Preference, &["inglés"])]),
        (
            "u: nunca faça commit direto na main, porque o deploy é automático",
            &[(Preference, &["main", "automático"])],
        ),
        ("u: a partir de agora use sempre o pytest, não o unittest", &[(Preference, &["pytest"])]),
        ("u: d'ora in poi usa sempre i tipi espliciti", &[(Preference, &["tipi"])]),
        ("u: non usare mai i colori fissi, usa le variabili del tema", &[(Preference, &["tema"])]),
        (
            "u: gebruik hier nooit jQuery, we willen het eruit hebben omdat het traag is",
            &[(Preference, &["jQuery"])],
        ),
        ("u: vanaf nu schrijven we de documentatie in het Engels", &[(Preference, &["Engels"])]),
        (
            "u: nigdy nie commituj bezpośrednio do main, bo to od razu idzie na produkcję",
            &[(Preference, &["main"])],
        ),
        ("u: mostantól mindig angolul írd a kommenteket", &[(Preference, &["angolul"])]),
        ("u: bundan sonra commit mesajlarını İngilizce yaz", &[(Preference, &["İngilizce"])]),
        ("u: никогда не используй здесь var, только const", &[(Preference, &["const"])]),
        ("u: впредь пиши комментарии на английском", &[(Preference, &["английском"])]),
        ("u: 以后提交信息一律用英文", &[(Preference, &["英文"])]),
        ("u: 不要用 npm，我们统一用 pnpm", &[(Preference, &["pnpm"])]),
        ("u: 今後はコミットメッセージを英語で書いてください", &[(Preference, &["英語"])]),
        ("u: 앞으로 커밋 메시지는 영어로 써줘", &[(Preference, &["영어"])]),
    ]);
}

#[test]
fn limits_decisions_and_what_waits_are_found_in_other_languages() {
    table(&[
        (
            "u: Der Mailserver nimmt höchstens 50 Mails pro Minute an, das können wir nicht ändern",
            &[(Constraint, &["50 Mails"])],
        ),
        (
            "u: Wir haben uns für Kafka statt RabbitMQ entschieden, weil wir die Ereignisse noch einmal lesen müssen",
            &[(Decision, &["Kafka", "RabbitMQ"])],
        ),
        (
            "u: den Dark Mode verschieben wir, bis das neue Designsystem da ist",
            &[(TechDebt, &["Dark Mode", "Designsystem"])],
        ),
        (
            "u: l'API de la banque est limitée à 100 appels par minute, on ne peut rien y changer",
            &[(Constraint, &["100 appels"])],
        ),
        (
            "u: on a décidé de garder SQLite plutôt que Postgres parce que tout tient sur une machine",
            &[(Decision, &["SQLite"])],
        ),
        (
            "u: la traduction, pas maintenant, on la reporte jusqu'à la version 3",
            &[(TechDebt, &["traduction"])],
        ),
        (
            "u: la API del banco admite como máximo 30 peticiones por segundo, no lo van a subir",
            &[(Constraint, &["30 peticiones"])],
        ),
        (
            "u: hemos decidido usar colas en vez de cron porque los trabajos se pisaban",
            &[(Decision, &["colas"])],
        ),
        (
            "u: lo de los informes lo dejamos para después, cuando esté la nueva base de datos",
            &[(TechDebt, &["informes"])],
        ),
        ("u: decidimos usar gRPC em vez de REST porque o payload é muito grande", &[(Decision, &["gRPC"])]),
        (
            "u: o servidor aceita no máximo 5 conexões, não podemos mudar isso",
            &[(Constraint, &["5 conexões"])],
        ),
        (
            "u: abbiamo deciso di usare Redis invece di Memcached perché serve la persistenza",
            &[(Decision, &["Redis"])],
        ),
        (
            "u: we hebben besloten om Vite te gebruiken in plaats van Webpack omdat de build te traag is",
            &[(Decision, &["Vite"])],
        ),
        (
            "u: мы решили использовать Postgres вместо MySQL, потому что нужен JSONB",
            &[(Decision, &["Postgres"])],
        ),
    ]);
}

#[test]
fn more_is_found_in_other_languages() {
    table(&[
        ("u: niet aan de map shared komen, die is van het andere team", &[(Preference, &["shared"])]),
        ("u: Die Tests dürfen nicht ins Netz, der CI-Runner hat keinen Zugang", &[(Preference, &["Netz"])]),
        ("u: ok. und bitte keine neuen Abhängigkeiten ohne Rückfrage", &[(Preference, &["Abhängigkeiten"])]),
        ("u: ok bleiben wir bei Views, der Umbau lohnt sich dieses Jahr nicht", &[(Decision, &["Views"])]),
        ("u: lass uns SQLite nehmen, ein Server wäre für 5 Nutzer zu viel", &[(Decision, &["SQLite"])]),
        ("u: on garde Symfony 5, la migration est trop chère cette année", &[(Decision, &["Symfony"])]),
        (
            "u: c'est quoi la différence?\na: Aucune.\nu: ok. les prix sont toujours en centimes chez nous, jamais en float",
            &[(Preference, &["centimes"])],
        ),
        ("u: La API solo acepta fechas en UTC, por diseño", &[(Constraint, &["UTC"])]),
        ("u: não mexa na pasta infra, é do time de plataforma", &[(Preference, &["infra"])]),
        (
            "u: i test girano solo con node 20, non possiamo aggiornare prima di marzo",
            &[(Constraint, &["node 20"])],
        ),
        ("u: we wachten met de nieuwe layout tot de klant akkoord is", &[(TechDebt, &["layout"])]),
    ]);
}

package io.bloomgate.cli.impact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code replay} without a gateway and without settings. */
class ReplayCommandTest {

  private static final String LOG =
      """
      2026-11-20T07:39:01+00:00 mx1 postfix/smtpd[101]: 4Zf0Q81xZpz9sX: client=mail.partner.example[45.66.1.9]
      2026-11-20T07:39:01+00:00 mx1 postfix/cleanup[102]: 4Zf0Q81xZpz9sX: message-id=<1@partner.example>
      2026-11-20T07:39:01+00:00 mx1 postfix/qmgr[103]: 4Zf0Q81xZpz9sX: from=<ann@partner.example>, size=512, nrcpt=1 (queue active)
      2026-11-20T07:39:02+00:00 mx1 postfix/lmtp[104]: 4Zf0Q81xZpz9sX: to=<bob@example.com>, relay=none, delay=0.1, delays=0/0/0/0.1, dsn=2.0.0, status=sent (250 saved)
      2026-11-20T07:39:02+00:00 mx1 postfix/qmgr[103]: 4Zf0Q81xZpz9sX: removed
      2026-11-20T07:40:01+00:00 mx1 postfix/smtpd[111]: NOQUEUE: reject: RCPT from unknown[45.66.2.7]: 554 5.7.1 Service unavailable; Client host [45.66.2.7] blocked using zen.example; from=<x@spam.example> to=<a@example.com> proto=ESMTP helo=<spam.example>
      2026-11-20T07:40:02+00:00 mx1 dovecot: imap-login: Login
      """;

  @TempDir Path folder;
  private Path log = Path.of("");

  @BeforeEach
  void write() throws Exception {
    log = Files.writeString(folder.resolve("mail.log"), LOG);
  }

  private Shell.Result replay(String... args) {
    return Shell.run(List.of("replay", log.toString()), args);
  }

  private String list(String name, String lines) throws Exception {
    return Files.writeString(folder.resolve(name), lines).toString();
  }

  @Test
  void eachFileIsAListAndTheLogIsSummedUp() throws Exception {
    String clients = list("clients.txt", "45.66.1.9\n45.66.2.7\n");
    String domains = list("domains.txt", "spam.example\n");
    Shell.Result result = replay("--feeds", clients, "--feeds", domains).exits(0);
    for (String part :
        List.of(
            "postfix      7           6               1",
            "2 sessions in 60 s (2026-11-20 to 2026-11-20), 1 with accepted mail",
            "clients.txt, domains.txt (3 entries): refuses 2\n",
            "  1 refused already: zen.example 1\n",
            "  1 new, 1 delivered then\n",
            "    1 from 1 network, of senders (network and sender domain) without accepted mail"
                + " before\n",
            "helo is not known of 1 session: lists were not asked about it",
            "a log of postfix does not contain: HELO of mail that was not refused",
            "DNS lists were not asked; every recipient counted as one of ours")) {
      assertTrue(result.out().contains(part), part + "\n" + result.out());
    }
  }

  @Test
  void jsonIsOneObject() throws Exception {
    Shell.Result result = replay("--feeds", list("a.txt", "45.66.1.9\n"), "-o", "json");
    assertEquals(1, result.out().lines().count());
    result.prints(
        "\"format\":\"postfix\",\"lines\":7,\"understood\":6",
        "\"not_known\":{\"helo\":1,\"client_name\":1}");
  }

  @Test
  void oldSessionsAreLeftOut() throws Exception {
    replay("--feeds", list("a.txt", "45.66.1.9\n"), "--since", "2026-11-20T07:40:00Z")
        .prints("1 session in 0 s");
  }

  @Test
  void aLogThatCannotBeReadIsAPartOfTheAnswer() throws Exception {
    Path noise = Files.write(folder.resolve("noise\u001b[2J.log"), new byte[] {0, 1, 2, 3});
    Shell.Result result =
        Shell.run(
                "replay", log.toString(), noise.toString(), "--feeds", list("a.txt", "45.66.1.9\n"))
            .ends(4, "no log of a mail server that is known");
    assertTrue(result.out().indexOf('\u001b') < 0, result.out());
  }

  /** "refuses 0" would be wrong: nothing was judged. */
  @Test
  void aLogWithoutMailIsNoGoodAnswer() throws Exception {
    String list = list("a.txt", "45.66.1.9\n");
    Path noMail =
        Files.writeString(
            folder.resolve("no-mail.log"),
            LOG.lines().limit(1).map(line -> line.replace("client=", "klient=")).toList().getFirst()
                + "\nfirst\u001b[2J strange line\nsecond\nthird\nfourth\n");
    Shell.Result result =
        Shell.run("replay", noMail.toString(), "--feeds", list)
            .ends(4, "no mail was understood in these logs", "  second\n  third\n");
    assertTrue(!result.out().contains("fourth"), result.out());
    assertTrue(!result.out().contains("refuses"), result.out());
    assertTrue(result.out().indexOf('\u001b') < 0, result.out());
    Shell.run("replay", noMail.toString(), "--feeds", list, "--output", "json")
        .prints("\"problem\":\"no mail was understood");
    replay("--feeds", list, "--since", "2026-11-21T00:00:00Z")
        .ends(4, "2 mails are left out: they came before --since");
  }

  @Test
  void theSameLogCountsOnce() throws Exception {
    Path copy = Files.writeString(folder.resolve("copy.log"), LOG);
    replay(log.toString(), copy.toString(), "--feeds", list("a.txt", "45.66.2.7\n"))
        .prints("2 sessions in 60 s")
        .complains(
            "mail.log is given twice; it is read once",
            "copy.log is a copy of " + log + "; it is left out");
  }

  @Test
  void aFolderIsNamedAsOne() {
    Shell.run("replay", folder.toString()).fails(2, "is a folder", "name its files");
  }

  @Test
  void standardInputIsALog() throws Exception {
    Shell.piped(LOG, "replay", "-", "--feeds", list("a.txt", "45.66.2.7\n"))
        .ends(0, "standard input", "2 sessions in 60 s");
  }

  @Test
  void withoutListsTheCommandSaysWhatToGive() {
    replay("-c", folder.resolve("no.yaml").toString()).exits(78);
    replay().fails(2, "give --feeds FILE or --feeds catalogue");
    Shell.run("replay", folder.resolve("no.log").toString()).exits(2);
    replay("--feeds", folder.resolve("no.txt").toString()).exits(2);
  }

  @Test
  void theListsOfTheSettingsAreUsedWhereThereAreAny() throws Exception {
    Path settings =
        Files.writeString(
            folder.resolve("bloomgate.yaml"),
            "domains: [example.com]\nstate_dir: state\ndownstream: {host: 192.0.2.25}\n");
    Files.createDirectories(folder.resolve("state"));
    replay("-c", settings.toString()).prints("the lists of the settings: refuses 0\n");
  }
}

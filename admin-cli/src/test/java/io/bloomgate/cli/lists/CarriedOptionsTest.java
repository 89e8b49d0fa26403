package io.bloomgate.cli.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.FakeGateway;
import io.bloomgate.cli.Shell;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.control.ControlRequest.ListCheck;
import io.bloomgate.config.control.ControlRequest.ListEdit;
import io.bloomgate.config.control.ControlRequest.ListRemove;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The options of {@code allow} and {@code block} that name what a mail carries. */
class CarriedOptionsTest {

  private static final String HEX = "0123456789abcdef".repeat(4);

  @TempDir private Path folder;

  private Shell.Result run(FakeGateway gateway, Path socket, String... arguments) {
    assertTrue(gateway.asked().isEmpty());
    return Shell.run(
        Stream.concat(Stream.of(arguments), Stream.of("--socket", socket.toString()))
            .toArray(String[]::new));
  }

  private List<ControlRequest> asked(String... arguments) throws Exception {
    Path socket = folder.resolve("s" + System.nanoTime());
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      Shell.Result result = run(gateway, socket, arguments);
      assertEquals(0, result.exitCode(), result.err());
      return List.copyOf(gateway.asked());
    }
  }

  private static ListAdd add(String subject, @Nullable Check scope, String reason) {
    return new ListAdd(
        ListKind.BLOCK, List.of(subject), null, null, null, reason, scope, false, false);
  }

  @Test
  void whatCannotBeAddedComesWithAnExample() {
    Shell.Result sender = Shell.run("block", "add", "--from-header", "foo");
    assertEquals(2, sender.exitCode());
    assertTrue(
        sender.err().contains("write for example: --from-header news.example"), sender.err());
    assertTrue(Shell.run("block", "add", "--help").out().contains("of at least 12 letters"));
  }

  @Test
  void eachThingIsAddedWithItsScope() throws Exception {
    String subject = "Your account was suspended, act now";
    List<ControlRequest> asked =
        asked(
            "block",
            "add",
            "203.0.113.7",
            "--url",
            "https://Docs.example/a?b",
            "--url",
            "spam.example",
            "--sha256",
            HEX,
            "--subject",
            subject,
            "--from-header",
            "bob@spam.example",
            "--from-header",
            "spam.example");
    assertEquals(
        List.of(
            add("203.0.113.7", null, ""),
            add("//docs.example/a?b", Check.URL, ""),
            add("spam.example", Check.URL_HOST, ""),
            add(HEX, Check.ATTACHMENT, "")),
        asked.subList(0, 4));
    ListAdd ofSubject = (ListAdd) asked.get(4);
    assertEquals(Check.SUBJECT, ofSubject.scope());
    assertEquals("subject: " + subject, ofSubject.reason(), "a fingerprint cannot be read");
    assertEquals(
        List.of(
            add("bob@spam.example", Check.FROM, ""), add("spam.example", Check.FROM_DOMAIN, "")),
        asked.subList(5, 7));
    assertEquals(
        List.of(add("spam.example", Check.URL_HOST, "why")),
        asked("block", "add", "--url", "spam.example", "--reason", "why"));
    ListAdd both =
        (ListAdd) asked("block", "add", "--subject", subject, "--reason", "why").getFirst();
    assertEquals("subject: " + subject + "; why", both.reason());
  }

  @Test
  void whatIsNoUrlOrHasTwoScopesIsSaid() throws Exception {
    Path socket = folder.resolve("none");
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      assertEquals(2, run(gateway, socket, "block", "add", "--url", "mailto:x").exitCode());
      assertEquals(2, run(gateway, socket, "block", "add", "--sha256", "12").exitCode());
      assertEquals(2, run(gateway, socket, "block", "add", "--subject", "hello").exitCode());
      assertEquals(2, run(gateway, socket, "block", "remove").exitCode());
      assertEquals(2, run(gateway, socket, "allow", "check").exitCode());
      Shell.Result both =
          run(gateway, socket, "block", "add", "--url", "a.example", "--scope", "helo");
      assertEquals(2, both.exitCode());
      assertTrue(both.err().contains("have a scope of their own"), both.err());
    }
  }

  @Test
  void anEncodedSubjectIsRefused() throws Exception {
    Path socket = folder.resolve("none");
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      Shell.Result encoded =
          run(gateway, socket, "block", "add", "--subject", "=?utf-8?q?Ihre_Rechnung_vom?=");
      assertEquals(2, encoded.exitCode());
      assertTrue(encoded.err().contains("as people read it"), encoded.err());
      assertTrue(gateway.asked().isEmpty());
    }
  }

  @Test
  void theFileOfASha256ValueIsNoSubject() throws Exception {
    Path file = Files.createFile(folder.resolve("invoice.exe"));
    Path socket = folder.resolve("none");
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      Shell.Result both = run(gateway, socket, "block", "add", "--sha256", HEX, file.toString());
      assertEquals(2, both.exitCode());
      assertTrue(both.err().contains(file + " is a file"), both.err());
      Shell.Result piped = run(gateway, socket, "block", "add", "--sha256", HEX, "-");
      assertEquals(2, piped.exitCode());
      assertTrue(piped.err().contains("- is no subject; sha256sum writes it"), piped.err());
      assertTrue(piped.err().contains("cut -d ' ' -f 1"), piped.err());
      assertTrue(gateway.asked().isEmpty());
      assertEquals(
          0, run(gateway, socket, "block", "add", "--sha256", HEX, "evil.example").exitCode());
    }
  }

  /** Java reads them so where the locale does not have the letters. */
  @Test
  void lettersThatTheLocaleDoesNotHaveAreRefused() throws Exception {
    Path socket = folder.resolve("none");
    String unread = "Sch\uFFFDne Gr\uFFFD\uFFFDe von uns";
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      for (String option : List.of("--subject", "--from-header", "--reason", "--url")) {
        Shell.Result refused = run(gateway, socket, "block", "add", "a.example", option, unread);
        assertEquals(2, refused.exitCode(), option);
        assertTrue(refused.err().contains("set LC_ALL=C.UTF-8"), refused.err());
      }
      assertEquals(2, run(gateway, socket, "explain", unread).exitCode());
      assertTrue(gateway.asked().isEmpty());
    }
  }

  /** What is a hash in the list can be edited and removed by what it was added by. */
  @Test
  void entriesAreEditedAndRemovedByTheOptionThatAddedThem() throws Exception {
    Path socket = folder.resolve("edit");
    ControlReply[] replies = {
      entry("b1", "evil.example # its senders"),
      entry("b2", "//evil.example/a scope=url"),
      new Done(0)
    };
    try (FakeGateway gateway = FakeGateway.answering(socket, replies)) {
      Shell.Result edited =
          run(gateway, socket, "block", "edit", "--url", "evil.example/a", "--reason", "why");
      assertEquals(0, edited.exitCode(), edited.err());
      assertEquals(
          List.of(
              new ListCheck(ListKind.BLOCK, "//evil.example/a", null),
              new ListEdit(ListKind.BLOCK, List.of("b2"), "why", null, false, null)),
          gateway.asked());
    }
    Path alike = folder.resolve("alike");
    try (FakeGateway gateway =
        FakeGateway.answering(alike, entry("b7", "like:" + "00".repeat(64)), new Done(0))) {
      Shell.Result removed = run(gateway, alike, "block", "remove", "x", "--like", "7K3Q9ZT2AB");
      assertEquals(0, removed.exitCode(), removed.err());
      assertEquals(
          List.of(
              new ListCheck(ListKind.BLOCK, "", "7K3Q9ZT2AB"),
              new ListRemove(ListKind.BLOCK, List.of("x", "b7"))),
          gateway.asked());
    }
    Path none = folder.resolve("no-such");
    try (FakeGateway gateway = FakeGateway.answering(none, new Done(1))) {
      Shell.Result edited =
          run(gateway, none, "block", "edit", "--like", "7K3Q9ZT2AB", "--expires", "7d");
      assertEquals(1, edited.exitCode());
      assertTrue(edited.out().contains("not found: an entry for the text of 7K3Q9ZT2AB"));
    }
  }

  private static ControlReply entry(String id, String text) {
    JsonObject entry =
        JsonValue.object()
            .put("id", id)
            .put("subject", text.replaceFirst(" .*", ""))
            .put("text", text)
            .build();
    return new Item(entry);
  }

  @Test
  void ofADomainOnlyTheEntryOfItsUrlsIsRemovedAndShown() throws Exception {
    Path socket = folder.resolve("remove");
    ControlReply[] replies = {
      entry("b1", "spam.example # its senders"),
      entry("b2", "spam.example scope=url_host"),
      entry("b3", "example.com scope=url_host"),
      new Done(0)
    };
    try (FakeGateway gateway = FakeGateway.answering(socket, replies)) {
      Shell.Result removed = run(gateway, socket, "block", "remove", "--url", "spam.example");
      assertEquals(0, removed.exitCode(), removed.err());
      assertEquals(
          List.of(
              new ListCheck(ListKind.BLOCK, "spam.example", null),
              new ListRemove(ListKind.BLOCK, List.of("b2"))),
          gateway.asked());
    }
    Path other = folder.resolve("check");
    try (FakeGateway gateway = FakeGateway.answering(other, replies)) {
      Shell.Result shown =
          run(gateway, other, "block", "check", "--url", "https://spam.example/x", "-o", "json");
      assertEquals(0, shown.exitCode(), shown.err());
      assertEquals(
          List.of(
              new ListCheck(ListKind.BLOCK, "//spam.example/x", null),
              new ListCheck(ListKind.BLOCK, "spam.example", null)),
          gateway.asked());
      assertTrue(shown.out().contains("b2") && !shown.out().contains("b1"), shown.out());
    }
    Path none = folder.resolve("none-there");
    try (FakeGateway gateway = FakeGateway.answering(none, new Done(1))) {
      assertEquals(1, run(gateway, none, "block", "remove", "--sha256", HEX).exitCode());
      assertEquals(1, gateway.asked().size());
    }
  }
}

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
import java.util.Iterator;
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
    return Shell.run(List.of("--socket", socket.toString()), arguments);
  }

  /** What a line asks in which each {@code %s} is one of these words. */
  private List<ControlRequest> asked(String line, String... words) throws Exception {
    Iterator<String> next = List.of(words).iterator();
    String[] arguments =
        Stream.of(line.split(" "))
            .map(word -> word.equals("%s") ? next.next() : word)
            .toArray(String[]::new);
    Path socket = folder.resolve("s" + System.nanoTime());
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      run(gateway, socket, arguments).exits(0);
      return List.copyOf(gateway.asked());
    }
  }

  private static ListAdd add(String subject, @Nullable Check scope, String reason) {
    return new ListAdd(
        ListKind.BLOCK, List.of(subject), null, null, null, reason, scope, false, false);
  }

  @Test
  void whatCannotBeAddedComesWithAnExample() {
    Shell.run("block", "add", "--from-header", "foo")
        .fails(2, "write for example: --from-header news.example");
    assertTrue(Shell.run("block", "add", "--help").out().contains("of at least 12 letters"));
  }

  @Test
  void eachThingIsAddedWithItsScope() throws Exception {
    String subject = "Your account was suspended, act now";
    List<ControlRequest> asked =
        asked(
            "block add 203.0.113.7 --url https://Docs.example/a?b --url spam.example --sha256 %s"
                + " --subject %s --from-header bob@spam.example --from-header spam.example",
            HEX, subject);
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
        asked("block add --url spam.example --reason why"));
    ListAdd both = (ListAdd) asked("block add --subject %s --reason why", subject).getFirst();
    assertEquals("subject: " + subject + "; why", both.reason());
  }

  @Test
  void whatIsNoUrlOrHasTwoScopesIsSaid() throws Exception {
    Path socket = folder.resolve("none");
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      run(gateway, socket, "block", "add", "--url", "mailto:x").exits(2);
      run(gateway, socket, "block", "add", "--sha256", "12").exits(2);
      run(gateway, socket, "block", "add", "--subject", "hello").exits(2);
      run(gateway, socket, "block", "remove").exits(2);
      run(gateway, socket, "allow", "check").exits(2);
      run(gateway, socket, "block", "add", "--url", "a.example", "--scope", "helo")
          .fails(2, "have a scope of their own");
    }
  }

  @Test
  void anEncodedSubjectIsRefused() throws Exception {
    Path socket = folder.resolve("none");
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      run(gateway, socket, "block", "add", "--subject", "=?utf-8?q?Ihre_Rechnung_vom?=")
          .fails(2, "as people read it");
      assertTrue(gateway.asked().isEmpty());
    }
  }

  @Test
  void theFileOfASha256ValueIsNoSubject() throws Exception {
    Path file = Files.createFile(folder.resolve("invoice.exe"));
    Path socket = folder.resolve("none");
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      run(gateway, socket, "block", "add", "--sha256", HEX, file.toString())
          .fails(2, file + " is a file");
      run(gateway, socket, "block", "add", "--sha256", HEX, "-")
          .fails(2, "- is no subject; sha256sum writes it", "cut -d ' ' -f 1");
      assertTrue(gateway.asked().isEmpty());
      run(gateway, socket, "block", "add", "--sha256", HEX, "evil.example").exits(0);
    }
  }

  /** Java reads them so where the locale does not have the letters. */
  @Test
  void lettersThatTheLocaleDoesNotHaveAreRefused() throws Exception {
    Path socket = folder.resolve("none");
    String unread = "Sch\uFFFDne Gr\uFFFD\uFFFDe von uns";
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      for (String option : List.of("--subject", "--from-header", "--reason", "--url")) {
        run(gateway, socket, "block", "add", "a.example", option, unread)
            .fails(2, "set LC_ALL=C.UTF-8");
      }
      run(gateway, socket, "explain", unread).exits(2);
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
      run(gateway, socket, "block", "edit", "--url", "evil.example/a", "--reason", "why").exits(0);
      assertEquals(
          List.of(
              new ListCheck(ListKind.BLOCK, "//evil.example/a", null),
              new ListEdit(ListKind.BLOCK, List.of("b2"), "why", null, false, null)),
          gateway.asked());
    }
    Path alike = folder.resolve("alike");
    try (FakeGateway gateway =
        FakeGateway.answering(alike, entry("b7", "like:" + "00".repeat(64)), new Done(0))) {
      run(gateway, alike, "block", "remove", "x", "--like", "7K3Q9ZT2AB").exits(0);
      assertEquals(
          List.of(
              new ListCheck(ListKind.BLOCK, "", "7K3Q9ZT2AB"),
              new ListRemove(ListKind.BLOCK, List.of("x", "b7"))),
          gateway.asked());
    }
    Path none = folder.resolve("no-such");
    try (FakeGateway gateway = FakeGateway.answering(none, new Done(1))) {
      run(gateway, none, "block", "edit", "--like", "7K3Q9ZT2AB", "--expires", "7d")
          .ends(1, "not found: an entry for the text of 7K3Q9ZT2AB");
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
      run(gateway, socket, "block", "remove", "--url", "spam.example").exits(0);
      assertEquals(
          List.of(
              new ListCheck(ListKind.BLOCK, "spam.example", null),
              new ListRemove(ListKind.BLOCK, List.of("b2"))),
          gateway.asked());
    }
    Path other = folder.resolve("check");
    try (FakeGateway gateway = FakeGateway.answering(other, replies)) {
      Shell.Result shown =
          run(gateway, other, "block", "check", "--url", "https://spam.example/x", "-o", "json")
              .exits(0);
      assertEquals(
          List.of(
              new ListCheck(ListKind.BLOCK, "//spam.example/x", null),
              new ListCheck(ListKind.BLOCK, "spam.example", null)),
          gateway.asked());
      assertTrue(shown.out().contains("b2") && !shown.out().contains("b1"), shown.out());
    }
    Path none = folder.resolve("none-there");
    try (FakeGateway gateway = FakeGateway.answering(none, new Done(1))) {
      run(gateway, none, "block", "remove", "--sha256", HEX).exits(1);
      assertEquals(1, gateway.asked().size());
    }
  }
}

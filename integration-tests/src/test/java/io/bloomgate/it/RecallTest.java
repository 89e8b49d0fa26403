package io.bloomgate.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.checkout.Checkout;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.it.MailOracle.Item;
import io.bloomgate.it.MailOracle.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Recall on mails that nobody of this project wrote: each thing that {@link MailOracle} sees in one
 * is blocked alone, and the mail is sent. The mails are beside the repository ({@code
 * ../shared/mail}); where they are missing the test is skipped. It prints the counts, and each mail
 * that passed with the reason; a miss without a reason fails, and so does a reason without a miss.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class RecallTest extends Story {

  private static final Path MAILS = Checkout.root().resolve("../shared/mail");

  /** What is refused of what the mails hold; the rest is in {@link #MISSES}. */
  private static final String RECALL =
      "{URL=60/63, HOST=36/37, FROM=175/175, FILE=90/90, SUBJECT=120/120, PRINT=70/75}";

  /** {@code KIND FILE ITEM | reason} of each mail that passes although its item is listed. */
  private static final Path MISSES = Path.of("src/test/resources/recall-misses.txt");

  /** Of one mail and kind. */
  private static final int MAX_ITEMS = 40;

  private int clients;

  private record Counted(int found, int all) {
    Counted with(boolean isFound) {
      return new Counted(found + (isFound ? 1 : 0), all + 1);
    }

    @Override
    public String toString() {
      return found + "/" + all;
    }
  }

  private static List<Path> mails() throws IOException {
    try (Stream<Path> files = Files.walk(MAILS, 2)) {
      return files
          .filter(file -> MAILS.relativize(file).getNameCount() == 2)
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  /** As a mail server gets it: lines end with CR LF, and there is no NUL. */
  private static String sendable(Path file) throws IOException {
    String text = Files.readString(file, ISO_8859_1).replace("\0", "");
    return text.replace("\r\n", "\n").replace('\r', '\n').replace("\n", "\r\n");
  }

  /** What an administrator blocks; empty for what cannot be an entry. */
  private static Optional<TypedSubject> entry(Item item) {
    Parsed<TypedSubject> entry =
        switch (item.kind()) {
          case URL, HOST -> TypedSubject.url(item.text());
          case FROM -> TypedSubject.fromHeader(item.text());
          case FILE -> TypedSubject.sha256(item.text());
          case SUBJECT -> TypedSubject.subject(item.text());
          case PRINT -> ofBody(item.text());
        };
    boolean isOfKind =
        item.kind() != Kind.URL || entry.toOptional().filter(RecallTest::isUrl).isPresent();
    return isOfKind ? entry.toOptional() : Optional.empty();
  }

  private static boolean isUrl(TypedSubject entry) {
    return entry.scope().equals(Set.of(Check.URL));
  }

  private static Parsed<TypedSubject> ofBody(String text) {
    return Fingerprint.parse(text).map(print -> new TypedSubject(print, Set.of(Check.BODY), ""));
  }

  private void block(TypedSubject entry) {
    Check scope = entry.scope().size() == 1 ? entry.scope().iterator().next() : null;
    List<String> subject = List.of(entry.subject().written());
    gateway.control(
        Addition.of(ListKind.BLOCK, subject).reason("a test").scope(scope).force(true).request());
  }

  private boolean isRefused(TypedSubject entry, String mail) throws IOException {
    block(entry);
    String address = "45." + (clients >> 8 & 255) + "." + (clients++ & 255) + ".9";
    try {
      String content = mail.endsWith("\r\n") ? mail : mail + "\r\n";
      String reply = gateway.send(address, "a@partner.example", content);
      if (!reply.startsWith("554 5.7.1") && !reply.startsWith("250")) {
        throw new AssertionError(reply);
      }
      return reply.startsWith("554 5.7.1");
    } finally {
      gateway.control(
          new ControlRequest.ListRemove(ListKind.BLOCK, List.of(entry.subject().written())));
    }
  }

  @Test
  void whatIsListedAloneRefusesItsMail() throws IOException {
    Assumptions.assumeTrue(Files.isDirectory(MAILS), "no shared mails here");
    Map<String, String> reasons = reasons();
    Map<Kind, Counted> counted = new EnumMap<>(Kind.class);
    List<String> misses = new ArrayList<>();
    gateway.with("feeds", "{sources: {}}").start();
    for (Path file : mails()) {
      String mail = sendable(file);
      Map<Kind, Integer> taken = new EnumMap<>(Kind.class);
      for (Item item : MailOracle.items(mail.getBytes(ISO_8859_1))) {
        Optional<TypedSubject> entry = entry(item);
        if (entry.isEmpty() || taken.merge(item.kind(), 1, Integer::sum) > MAX_ITEMS) {
          continue;
        }
        boolean refused = isRefused(entry.get(), mail);
        counted.merge(item.kind(), new Counted(0, 0).with(refused), (a, b) -> a.with(refused));
        if (!refused) {
          String shown = item.kind() == Kind.PRINT ? "" : " " + item.text().replaceAll("\\s+", " ");
          misses.add(item.kind() + " " + file.getFileName() + shown);
        }
      }
    }
    Collections.sort(misses);
    System.out.println("recall, each item listed alone: " + counted);
    misses.forEach(miss -> System.out.println("passes: " + miss + " | " + reasons.get(miss)));
    assertEquals(List.copyOf(reasons.keySet()), misses);
    assertEquals(RECALL, counted.toString());
  }

  private static Map<String, String> reasons() throws IOException {
    Map<String, String> reasons = new TreeMap<>();
    for (String line : Files.readAllLines(MISSES)) {
      if (!line.startsWith("#") && !line.isEmpty()) {
        int bar = line.lastIndexOf(" | ");
        reasons.put(line.substring(0, bar), line.substring(bar + 3));
      }
    }
    return reasons;
  }
}

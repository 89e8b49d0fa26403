package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.allow;
import static io.bloomgate.blocklists.operator.Entries.block;
import static io.bloomgate.blocklists.operator.Entries.key;
import static io.bloomgate.blocklists.operator.Entries.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.name.ListKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What covers a key, and in which order. */
class OperatorViewTest {

  private static OperatorView view(NewEntry... entries) {
    List<OperatorEntry> stored = new ArrayList<>();
    Arrays.stream(entries).forEach(entry -> stored.add(stored("e" + stored.size(), entry)));
    return OperatorView.of(stored);
  }

  private static List<String> covering(OperatorView view, ListKind list, String key, Instant now) {
    return view.covering(list, key(key), now).stream().map(e -> e.subject().toString()).toList();
  }

  @Test
  void networksAroundAnAddressNarrowestFirst() {
    OperatorView view =
        view(
            allow("10.0.0.0/8"),
            allow("10.1.2.3"),
            allow("10.1.0.0/16"),
            allow("10.2.0.0/16"),
            block("10.1.2.0/24"));
    assertEquals(
        List.of("10.1.2.3", "10.1.0.0/16", "10.0.0.0/8"),
        covering(view, ListKind.ALLOW, "10.1.2.3", NOW));
    assertEquals(List.of("10.1.2.0/24"), covering(view, ListKind.BLOCK, "10.1.2.255", NOW));
    assertEquals(List.of(), covering(view, ListKind.BLOCK, "10.1.3.0", NOW));
  }

  @Test
  void familiesNeverMix() {
    OperatorView view = view(allow("::/0"), allow("0.0.0.0/0"), allow("::/64"));
    assertEquals(List.of("0.0.0.0/0"), covering(view, ListKind.ALLOW, "192.0.2.1", NOW));
    assertEquals(List.of("0.0.0.0/0"), covering(view, ListKind.ALLOW, "::ffff:192.0.2.1", NOW));
    assertEquals(List.of("::/64", "::/0"), covering(view, ListKind.ALLOW, "::1", NOW));
    assertEquals(List.of("::/0"), covering(view, ListKind.ALLOW, "2001:db8::1", NOW));
  }

  @Test
  void domainCoversItselfAndBelow() {
    OperatorView view = view(allow("example.com"), allow("mail.example.com"));
    assertEquals(
        List.of("mail.example.com", "example.com"),
        covering(view, ListKind.ALLOW, "a.mail.example.com", NOW));
    assertEquals(List.of("example.com"), covering(view, ListKind.ALLOW, "example.com", NOW));
    assertEquals(List.of(), covering(view, ListKind.ALLOW, "notexample.com", NOW));
  }

  @Test
  void addressCoversItselfOnly() {
    OperatorView view = view(allow("Bob@Example.com"), allow("example.com"));
    assertEquals(
        List.of("bob@example.com"), covering(view, ListKind.ALLOW, "bob@example.com", NOW));
    assertEquals(List.of(), covering(view, ListKind.ALLOW, "bob@mail.example.com", NOW));
  }

  @Test
  void ofOneSubjectTheBoundOneComesFirst() {
    OperatorView view =
        view(
            allow("example.com"),
            allow("example.com from=198.51.100.0/24"),
            allow("example.com from=198.51.100.7"));
    assertEquals(
        List.of("e2", "e1", "e0"),
        view.covering(ListKind.ALLOW, key("example.com"), NOW).stream()
            .map(OperatorEntry::id)
            .toList());
  }

  @Test
  void expiredEntriesCoverNothingFromTheInstantOn() {
    OperatorView view = view(allow("192.0.2.1 expires=2026-11-21T07:30:00Z"));
    assertEquals(
        List.of("192.0.2.1"), covering(view, ListKind.ALLOW, "192.0.2.1", NOW.minusMillis(1)));
    assertEquals(List.of(), covering(view, ListKind.ALLOW, "192.0.2.1", NOW));
  }

  @Test
  void aChangeThatIsOnlyThoughtOfLiesOverTheRest() {
    OperatorView view = view(allow("10.0.0.0/8"), allow("10.1.0.0/16"));
    OperatorEntry host = stored("new", allow("10.1.2.3"));
    assertEquals(
        List.of("10.1.2.3", "10.0.0.0/8"),
        covering(view.with(List.of(host), Set.of("e1")), ListKind.ALLOW, "10.1.2.3", NOW));
    assertEquals(
        List.of("10.1.0.0/16", "10.0.0.0/8"), covering(view, ListKind.ALLOW, "10.1.2.3", NOW));
  }
}

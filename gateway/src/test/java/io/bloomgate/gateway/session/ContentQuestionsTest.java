package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which names of a mail DNS lists are asked about. */
class ContentQuestionsTest {

  private static final IpAddress CLIENT = IpAddress.ofV4(0xcb007107);

  private final List<String> asked = new ArrayList<>();

  /** Awaited before the last question was asked. */
  private boolean early;

  private int awaited;

  /** Lists everything under the name without its first label. */
  private final DnsLists lists =
      new DnsLists() {
        @Override
        public Set<Check> checks() {
          return Set.of(Check.URL_HOST, Check.FROM_DOMAIN);
        }

        @Override
        public boolean asks(Check check, ListKey key) {
          return !key.toString().startsWith("everyday");
        }

        @Override
        public Pending ask(Check check, ListKey subject, IpAddress client) {
          early |= awaited > 0;
          asked.add(check.key() + " " + subject);
          ListKey name = ((DomainName) subject).from(1);
          return () -> {
            awaited++;
            return List.of(
                new DnsListing(
                    "dbl", check, name, "dbl.example", CLIENT, Duration.ZERO, Instant.EPOCH));
          };
        }
      };

  private static ContentKey key(Check check, String name, Place place) {
    return new ContentKey(check, DomainName.parse(name).toOptional().orElseThrow(), place);
  }

  private static ContentKey link(String name) {
    return key(Check.URL_HOST, name, Place.OPEN);
  }

  private ContentQuestions questions(long seed) {
    return new ContentQuestions(lists, CLIENT, seed);
  }

  private static List<ContentKey> hosts(int count) {
    List<ContentKey> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(link("www.filler" + i + ".example"));
    }
    return keys;
  }

  @Test
  void aThousandHostsAreTwentyQuestions() {
    ContentQuestions questions = questions(7);
    questions.answers(hosts(1_000), ContentQuestions.MAX_NAMES, _ -> true);
    assertEquals(ContentQuestions.MAX_NAMES, asked.size());
    assertEquals(1_000 - ContentQuestions.MAX_NAMES, questions.left());
    assertTrue(!early, "all are asked before one is awaited");
  }

  /** Else a spammer would write twenty names in front of his own. */
  @Test
  void whichOnesAreAskedNoSenderKnows() {
    questions(7).answers(hosts(1_000), ContentQuestions.MAX_NAMES, _ -> true);
    Set<String> first = new HashSet<>(asked);
    asked.clear();
    questions(7).answers(hosts(1_000), ContentQuestions.MAX_NAMES, _ -> true);
    assertEquals(first, new HashSet<>(asked), "the same mail, the same names");
    asked.clear();
    questions(8).answers(hosts(1_000), ContentQuestions.MAX_NAMES, _ -> true);
    assertNotEquals(first, new HashSet<>(asked));
  }

  @Test
  void hostsOfOneNameAndQuotedHostsDoNotPushOthersOut() {
    List<ContentKey> keys = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      keys.add(link("h" + i + ".filler.example"));
      keys.add(key(Check.URL_HOST, "www.quoted" + i + ".example", Place.NESTED));
    }
    keys.add(link("www.evil.example"));
    keys.add(key(Check.FROM_DOMAIN, "mail.sender.example", Place.OPEN));
    questions(7).answers(keys, ContentQuestions.MAX_NAMES, _ -> true);
    assertTrue(asked.contains("url_host www.evil.example"), asked.toString());
    assertTrue(asked.contains("from_domain mail.sender.example"), asked.toString());
    assertEquals(ContentQuestions.MAX_NAMES, asked.size());
    assertTrue(asked.stream().noneMatch(question -> question.contains("quoted")));
  }

  @Test
  void aSecondCallAsksAboutWhatIsNew() {
    ContentQuestions questions = questions(7);
    questions.answers(hosts(1_000), ContentQuestions.MAX_NAMES / 2, _ -> true);
    assertEquals(ContentQuestions.MAX_NAMES / 2, asked.size());
    awaited = 0;
    List<ContentKey> all = new ArrayList<>(hosts(1_000));
    all.add(link("www.evil.example"));
    questions.answers(all, ContentQuestions.MAX_NAMES, _ -> true);
    assertEquals(ContentQuestions.MAX_NAMES, asked.size());
    assertEquals(ContentQuestions.MAX_NAMES, new HashSet<>(asked).size());
  }

  @Test
  void whatCannotCountIsNotAskedAndTakesNoPlace() {
    List<ContentKey> keys = new ArrayList<>(hosts(100));
    keys.add(link("everyday.example"));
    keys.add(key(Check.REPLY_TO_DOMAIN, "reply.example", Place.OPEN));
    questions(7)
        .answers(
            keys,
            ContentQuestions.MAX_NAMES,
            key -> key.key().toString().matches("www\\.filler[0-9]\\.example"));
    assertEquals(10, asked.size());
  }

  /** What a mail has as its own and as a quote is its own. */
  @Test
  void aListingHasTheStrongestPlaceOfItsName() {
    List<DnsListing> found =
        questions(7)
            .answers(
                List.of(
                    key(Check.URL_HOST, "a.evil.example", Place.NESTED),
                    key(Check.URL_HOST, "b.evil.example", Place.OPEN)),
                ContentQuestions.MAX_NAMES,
                _ -> true);
    assertEquals(1, found.size());
    assertEquals(Place.OPEN, found.getFirst().place());
  }
}

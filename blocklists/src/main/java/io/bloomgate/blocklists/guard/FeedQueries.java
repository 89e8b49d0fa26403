package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.ParseProblem;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks questions of a feed while it is read, without keeping the feed: the questions are indexed,
 * the entries pass by. Used by {@link FeedTest}, on one thread.
 */
final class FeedQueries implements FeedSink {

  /** One question and the best entry so far. */
  private static final class Question {
    private final String subject;
    private @Nullable ListEntry best;
    private int bestRank = -1;
    private boolean excepted;

    Question(String subject) {
      this.subject = subject;
    }

    /**
     * @param rank grows with how specific the entry is; of equals the first line wins
     */
    void hit(ListEntry entry, int rank) {
      if (entry.exception()) {
        excepted = true;
      } else if (rank > bestRank) {
        best = entry;
        bestRank = rank;
      }
    }

    FeedReport.Answer answer() {
      ListEntry entry = best;
      return entry == null || excepted
          ? new FeedReport.Answer(subject, false, null, 0)
          : new FeedReport.Answer(subject, true, entry.text(), entry.line());
    }
  }

  /** A network that was asked for. */
  private record AskedNetwork(IpPrefix prefix, Question question) {}

  /**
   * A name that was asked for, or a parent of one.
   *
   * @param depth labels that the asked name has more
   */
  private record AskedName(int depth, Question question) {}

  /** An exact mailbox outranks every name. */
  private static final int ADDRESS_RANK = 1000;

  private final List<Question> questions = new ArrayList<>();
  private final NavigableMap<IpAddress, List<AskedNetwork>> networks = new TreeMap<>();
  private final Map<DomainName, List<AskedName>> names = new HashMap<>();
  private final Map<MailAddress, List<Question>> addresses = new HashMap<>();

  FeedQueries(List<String> subjects) {
    subjects.forEach(this::ask);
  }

  private void ask(String subject) {
    Question question = new Question(subject);
    questions.add(question);
    String text = subject.strip();
    Optional<IpPrefix> network = IpPrefix.parse(text).toOptional();
    if (network.isPresent()) {
      networks
          .computeIfAbsent(network.get().network(), k -> new ArrayList<>())
          .add(new AskedNetwork(network.get(), question));
    } else if (text.indexOf('@') >= 0) {
      MailAddress.parse(text).toOptional().ifPresent(address -> ask(address, question));
    } else {
      DomainName.parse(text).toOptional().ifPresent(name -> ask(name, question));
    }
  }

  private void ask(MailAddress address, Question question) {
    for (MailAddress form : address.askedForms()) {
      addresses.computeIfAbsent(form, k -> new ArrayList<>()).add(question);
    }
    if (address.host() instanceof MailAddress.Host.Name(DomainName name)) {
      ask(name, question);
    }
  }

  private void ask(DomainName name, Question question) {
    for (int depth = 0; name.labels() - depth >= 2; depth++) {
      names
          .computeIfAbsent(name.from(depth), k -> new ArrayList<>())
          .add(new AskedName(depth, question));
    }
  }

  @Override
  public void entry(ListEntry entry) {
    switch (entry) {
      case ListEntry.Network network -> networkEntry(network);
      case ListEntry.Domain domain -> {
        for (AskedName asked : names.getOrDefault(domain.name(), List.of())) {
          if (asked.depth == 0
              ? domain.match() != NameMatch.BELOW
              : domain.match() != NameMatch.EXACT) {
            asked.question.hit(domain, domain.name().labels());
          }
        }
      }
      case ListEntry.Address address ->
          addresses
              .getOrDefault(address.address(), List.of())
              .forEach(q -> q.hit(address, ADDRESS_RANK));
    }
  }

  private void networkEntry(ListEntry.Network entry) {
    IpPrefix prefix = entry.prefix();
    for (List<AskedNetwork> asked :
        networks.subMap(prefix.network(), true, prefix.last(), true).values()) {
      for (AskedNetwork one : asked) {
        if (one.prefix.isV4() == prefix.isV4() && one.prefix.length() >= prefix.length()) {
          one.question.hit(entry, prefix.length());
        }
      }
    }
  }

  @Override
  public void problem(ParseProblem problem) {}

  /** In the order of the questions. */
  List<FeedReport.Answer> answers() {
    return questions.stream().map(Question::answer).toList();
  }
}

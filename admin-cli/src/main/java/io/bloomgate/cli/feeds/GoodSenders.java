package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.guard.FeedReport.Answer;
import io.bloomgate.blocklists.senders.KnownSender;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The good senders that the breaker of a feed knows, as subjects that a feed can be asked about:
 * for each of the feed's checks. Read from the state directory; immutable.
 *
 * @param bySubject the senders seen with each subject
 * @param known how many senders are known
 * @param problem why no sender is known, {@code null} when that is no failure
 */
record GoodSenders(Map<String, List<KnownSender>> bySubject, int known, @Nullable String problem) {

  static GoodSenders read(Path stateDir, Source source, Instant now) {
    try {
      Map<String, List<KnownSender>> bySubject = new LinkedHashMap<>();
      Set<KnownSender> known = new HashSet<>();
      for (KnownSender.Asked one :
          KnownSenders.read(stateDir.resolve(KnownSenders.FILE_NAME), now)
              .asked(source.guard().knownAfter(), now)) {
        known.add(one.sender());
        if (source.checks().contains(one.check())) {
          bySubject
              .computeIfAbsent(one.subject().toString(), _ -> new ArrayList<>())
              .add(one.sender());
        }
      }
      return new GoodSenders(bySubject, known.size(), null);
    } catch (IOException e) {
      return new GoodSenders(Map.of(), 0, "warning: good senders are not known: " + e.getMessage());
    }
  }

  List<String> subjects() {
    return List.copyOf(bySubject.keySet());
  }

  /** The senders that these answers concern, each with its first answer. */
  Map<KnownSender, Answer> concerned(List<Answer> answers) {
    Map<KnownSender, Answer> concerned = new LinkedHashMap<>();
    for (Answer answer : answers) {
      bySubject
          .getOrDefault(answer.subject(), List.of())
          .forEach(sender -> concerned.putIfAbsent(sender, answer));
    }
    return concerned;
  }

  /** A sender and why it would be listed. */
  static JsonObject toJson(KnownSender sender, Answer answer) {
    return JsonValue.object()
        .put("client", sender.client().toString())
        .put("sender", sender.sender().isEmpty() ? null : sender.sender())
        .put("seen", sender.seen().toString())
        .put("subject", answer.subject())
        .put("entry", answer.entry())
        .put("line", answer.line())
        .build();
  }
}

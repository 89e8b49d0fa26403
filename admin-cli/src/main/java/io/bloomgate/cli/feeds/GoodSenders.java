package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.guard.FeedReport.Answer;
import io.bloomgate.blocklists.senders.KnownSender;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Senders whose mail was accepted lately, as subjects that a feed can be asked about: one for each
 * of the feed's checks. Read from the state directory; immutable.
 *
 * @param bySubject the senders seen with each subject
 * @param known how many senders are known
 * @param problem why no sender is known, {@code null} when that is no failure
 */
record GoodSenders(Map<String, List<KnownSender>> bySubject, int known, @Nullable String problem) {

  static GoodSenders read(Path stateDir, Source source, Instant now) {
    try {
      List<KnownSender> recent =
          KnownSenders.read(stateDir.resolve(KnownSenders.FILE_NAME), now).recent();
      Map<String, List<KnownSender>> bySubject = new LinkedHashMap<>();
      for (KnownSender sender : recent) {
        subjects(sender, source)
            .forEach(s -> bySubject.computeIfAbsent(s, k -> new ArrayList<>()).add(sender));
      }
      return new GoodSenders(bySubject, recent.size(), null);
    } catch (IOException e) {
      return new GoodSenders(Map.of(), 0, "warning: good senders are not known: " + e.getMessage());
    }
  }

  private static List<String> subjects(KnownSender sender, Source source) {
    List<String> subjects = new ArrayList<>();
    if (source.checks().contains(Check.CLIENT_IP)) {
      subjects.add(sender.client().toString());
    }
    if (source.checks().contains(Check.SENDER)) {
      sender.address().ifPresent(a -> subjects.add(a.toString()));
    }
    if (source.checks().contains(Check.SENDER_DOMAIN)) {
      sender.domain().ifPresent(d -> subjects.add(d.toString()));
    }
    return subjects;
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

package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Subject;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the answers to questions while a feed is read, without keeping the feed: the questions
 * are in a {@link SubjectIndex}, and each entry is looked up there. Used by {@link FeedTest} and
 * {@link FeedDiff}, on one thread.
 */
final class FeedQueries implements FeedSink {

  /** One question and the best entry so far. */
  private static final class Question {
    private final String text;
    private @Nullable ListEntry best;
    private int bestRank = -1;
    private boolean excepted;

    Question(String text) {
      this.text = text;
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
          ? new FeedReport.Answer(text, false, null, 0)
          : new FeedReport.Answer(text, true, entry.text(), entry.line());
    }
  }

  private final List<Question> questions;

  /** The questions whose text is a subject, numbered as in the index. */
  private final List<Question> asked = new ArrayList<>();

  /** The questions that ask about a network, by index. */
  private final BitSet isNetwork = new BitSet();

  private final SubjectIndex index;

  FeedQueries(List<String> texts) {
    questions = texts.stream().map(Question::new).toList();
    List<Subject> subjects = new ArrayList<>();
    for (Question question : questions) {
      Subject.parse(question.text.strip())
          .toOptional()
          .ifPresent(subject -> {
            isNetwork.set(subjects.size(), subject instanceof IpPrefix);
            subjects.add(subject);
            asked.add(question);
          });
    }
    index = new SubjectIndex(subjects);
  }

  @Override
  public void entry(ListEntry entry) {
    index.find(
        entry,
        (from, behind, wholly) -> {
          for (int way = from; way < behind && wholly; way++) {
            int subject = index.subject(way);
            // Lists are not asked about the address literal of a sender.
            if (!(entry instanceof ListEntry.Network) || isNetwork.get(subject)) {
              asked.get(subject).hit(entry, entry.subject().narrowness());
            }
          }
        });
  }

  @Override
  public void problem(ParseProblem problem) {}

  /** The answers in the order of the questions. */
  List<FeedReport.Answer> answers() {
    return questions.stream().map(Question::answer).toList();
  }
}

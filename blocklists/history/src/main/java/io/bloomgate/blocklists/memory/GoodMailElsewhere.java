package io.bloomgate.blocklists.memory;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the other nodes of a fleet which hashes their accepted mail carried, and answers what they
 * ask. A node keeps its question, which is all that it remembers, as one text, and its answer to
 * each other node as another one, so an answer is read whenever it comes. Used by {@link OwnMemory}
 * on its chore; one thread.
 */
final class GoodMailElsewhere {

  private static final Logger LOG = LoggerFactory.getLogger(GoodMailElsewhere.class);

  private static final String QUESTION = "question";
  private static final String ANSWER = "answer to ";

  /** The question of a node that remembers nothing, and does not say what its mail carried. */
  private static final String NOTHING = "-";

  private final OtherNodes others;
  private final String self;
  private final Map<String, String> questions = new HashMap<>();
  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, Answer> answers = new HashMap<>();
  private Map<String, Boolean> connected = Map.of();
  private boolean isKnown;

  /**
   * The answer of a node.
   *
   * @param complete it knows all accepted mail of the time that counts
   * @param asked all hashes that it was asked for
   * @param carried those of them that its accepted mail carried
   */
  private record Answer(boolean complete, Set<Integer> asked, Set<Integer> carried) {}

  /** Asks nothing yet. */
  GoodMailElsewhere(OtherNodes others, String self) {
    this.others = others;
    this.self = self;
  }

  /** Reads what the others ask and answer now; returns true when some of it is new. */
  boolean read() {
    Optional<Map<String, Boolean>> now = others.connected();
    isKnown = now.isPresent();
    connected = now.orElse(connected);
    boolean isNew = false;
    for (String node : connected.keySet()) {
      Optional<String> question = others.kept(node, QUESTION);
      if (question.filter(NOTHING::equals).isPresent()) {
        texts.remove(node);
        answers.remove(node);
        isNew |= questions.remove(node) != null;
        continue;
      }
      isNew |= question.isPresent() && !question.get().equals(questions.put(node, question.get()));
      Optional<String> text = others.kept(node, ANSWER + self);
      if (text.isPresent() && !text.get().equals(texts.put(node, text.get()))) {
        readAnswer(node, text.get());
        isNew = true;
      }
    }
    questions.keySet().retainAll(connected.keySet());
    answers.keySet().retainAll(connected.keySet());
    texts.keySet().retainAll(connected.keySet());
    return isNew;
  }

  private void readAnswer(String node, String text) {
    List<String> parts = List.of(text.split(" ", -1));
    try {
      answers.put(
          node,
          new Answer(
              Boolean.parseBoolean(parts.get(0)), hashes(parts.get(1)), hashes(parts.get(2))));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      LOG.warn("fleet: what {} says of its good mail cannot be read", node, e);
    }
  }

  /** All hashes that other nodes ask for. */
  Set<Integer> asked() {
    Set<Integer> all = new HashSet<>();
    questions.values().forEach(text -> all.addAll(question(text)));
    return all;
  }

  private static Set<Integer> question(String text) {
    try {
      return hashes(text);
    } catch (IllegalArgumentException e) {
      LOG.warn("fleet: what another node asks of good mail cannot be read", e);
      return Set.of();
    }
  }

  /** Tells the others not to wait for answers of this node. */
  void remembersNothing() {
    others.keep(QUESTION, NOTHING);
  }

  /**
   * Answers all questions, and asks for what this node remembers.
   *
   * @param complete all accepted mail of the time that counts is known here
   * @param carried what it carried, of {@link #asked} at least
   */
  void answerAndAsk(boolean complete, Set<Integer> carried, Collection<Integer> remembered) {
    questions.forEach((node, text) -> {
      Set<Integer> both = question(text);
      both.retainAll(carried);
      others.keep(ANSWER + node, complete + " " + text + " " + text(both));
    });
    if (!connected.isEmpty()) {
      others.keep(QUESTION, text(remembered));
    }
  }

  /**
   * True where accepted mail of another node carried one of these, or where one that is connected
   * and remembers has not said so far whether it did.
   */
  boolean mayHaveCarried(List<Integer> hashes) {
    return answers.values().stream()
            .anyMatch(answer -> !Collections.disjoint(answer.carried(), hashes))
        || connected.entrySet().stream()
            .anyMatch(node ->
                node.getValue()
                    && questions.containsKey(node.getKey())
                    && answer(node.getKey(), hashes).isEmpty());
  }

  /**
   * Names the nodes that are connected and remember nothing: they cannot say what they accepted.
   */
  List<String> silent() {
    return connected.entrySet().stream()
        .filter(node -> node.getValue() && !questions.containsKey(node.getKey()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** True where all nodes know that no accepted mail of theirs carried one of these. */
  boolean allKnow(List<Integer> hashes) {
    return isKnown
        && connected.keySet().stream()
            .allMatch(node -> answer(node, hashes).filter(Answer::complete).isPresent());
  }

  private Optional<Answer> answer(String node, List<Integer> hashes) {
    return Optional.ofNullable(answers.get(node))
        .filter(answer -> answer.asked().containsAll(hashes));
  }

  private static String text(Collection<Integer> hashes) {
    ByteBuffer octets = ByteBuffer.allocate(hashes.size() * Integer.BYTES);
    new TreeSet<>(hashes).forEach(octets::putInt);
    return Base64.getEncoder().encodeToString(octets.array());
  }

  private static Set<Integer> hashes(String text) {
    ByteBuffer octets = ByteBuffer.wrap(Base64.getDecoder().decode(text));
    Set<Integer> hashes = new HashSet<>();
    while (octets.remaining() >= Integer.BYTES) {
      hashes.add(octets.getInt());
    }
    return hashes;
  }
}

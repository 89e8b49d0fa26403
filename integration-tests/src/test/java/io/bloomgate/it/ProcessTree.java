package io.bloomgate.it;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Ends real servers with all the processes that they started. Called by the fixtures of these
 * servers, on the thread of a test, when the test ends: what still runs then could write into the
 * folder of the test while JUnit removes the folder.
 */
final class ProcessTree {

  private ProcessTree() {}

  /** SIGKILL to a process and to everyone below it; returns when all of them are gone. */
  static void kill(ProcessHandle top) throws IOException {
    List<ProcessHandle> all = of(top);
    // The first one first: it would replace the others.
    all.forEach(ProcessHandle::destroyForcibly);
    awaitEnd(all);
  }

  /** A process and everyone below it, as they are now. */
  static List<ProcessHandle> of(ProcessHandle top) {
    return Stream.concat(Stream.of(top), top.descendants()).toList();
  }

  /** Returns when none of them runs. */
  static void awaitEnd(List<ProcessHandle> processes) throws IOException {
    Conditions.await("the processes end", () -> processes.stream().noneMatch(ProcessTree::runs));
  }

  /** One that has ended but whose exit code nobody took still has a number, and no program. */
  private static boolean runs(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }
}

package io.bloomgate.gateway.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The groups of users as the system knows them: files, and directories as LDAP by way of NSS. Asked
 * when a user connects to the control socket; a directory may take its time, so on a thread that
 * may block.
 */
public final class UserGroups {

  /** Groups of one user at most (NGROUPS_MAX of Linux). */
  private static final int MAX_GROUPS = 65_536;

  private static final int USUAL_GROUPS = 128;

  /** Octets for the names of all members of a group. */
  private static final int MAX_GROUP_OCTETS = 1 << 20;

  /** {@code gr_gid} of {@code struct group}, behind two pointers. */
  private static final long GID = 2 * ValueLayout.ADDRESS.byteSize();

  private static final long GROUP_OCTETS = 4 * ValueLayout.ADDRESS.byteSize();

  private final MethodHandle list;
  private final MethodHandle named;

  private UserGroups() {
    list =
        NativeFunctions.link(
            "getgrouplist",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS));
    named =
        NativeFunctions.link(
            "getgrnam_r",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS));
  }

  /** Finds those of this system; empty where it has no such functions. */
  public static Optional<UserGroups> ofSystem() {
    try {
      return Optional.of(new UserGroups());
    } catch (UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** The number of a group; empty when there is none of that name. */
  public OptionalInt number(String group) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment entry = arena.allocate(GROUP_OCTETS, ValueLayout.ADDRESS.byteAlignment());
      MemorySegment names = arena.allocate(MAX_GROUP_OCTETS);
      int error =
          (int)
              named.invokeExact(
                  arena.allocateFrom(group), entry, names, (long) MAX_GROUP_OCTETS, found);
      boolean there = error == 0 && found.get(ValueLayout.ADDRESS, 0).address() != 0;
      return there ? OptionalInt.of(entry.get(ValueLayout.JAVA_INT, GID)) : OptionalInt.empty();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The numbers of the groups that a user is a member of.
   *
   * @param own one more of its groups
   */
  public Set<Integer> of(String user, int own) {
    int room = USUAL_GROUPS;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(user);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
      while (true) {
        MemorySegment groups = arena.allocate(ValueLayout.JAVA_INT, room);
        count.set(ValueLayout.JAVA_INT, 0, room);
        int outcome = (int) list.invokeExact(name, own, groups, count);
        int known = count.get(ValueLayout.JAVA_INT, 0);
        if (outcome >= 0 || room == MAX_GROUPS) {
          int[] numbers = groups.toArray(ValueLayout.JAVA_INT);
          return Arrays.stream(numbers, 0, Math.clamp(known, 0, room))
              .boxed()
              .collect(Collectors.toUnmodifiableSet());
        }
        room = Math.clamp(Math.max(known, 2 * room), 1, MAX_GROUPS);
      }
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}

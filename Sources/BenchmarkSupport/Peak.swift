#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

public enum Peak {
    /// The most bytes of memory that this process has had at a time, or nil where that cannot be known.
    public static var residentBytes: Int? {
        var usage = rusage()
        #if canImport(Darwin)
            return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : nil
        #elseif canImport(Glibc)
            // On Linux in kilobytes; a process begins with the figure of the one that has started it.
            return getrusage(RUSAGE_SELF.rawValue, &usage) == 0 ? usage.ru_maxrss << 10 : nil
        #else
            return nil
        #endif
    }
}

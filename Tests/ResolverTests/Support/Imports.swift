// Each file of the target may use the threads, gates and barriers.
@_exported import ConcurrencySupport
